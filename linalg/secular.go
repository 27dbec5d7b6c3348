package linalg

import "math"

// secular is the equation 1/rho + sum_j z_j^2 / (d_j - x) = 0 whose roots are the
// eigenvalues of diag(d) + rho z z', with d ascending and rho > 0. Its i-th root lies
// between d_i and d_i+1, the last beyond the last d.
type secular struct {
	d, z []float64
	rho  float64
}

// root finds the i-th root x, writes d_j - x to gaps[j], each with full relative
// accuracy, and returns x. It works with distances from the nearer of the two poles
// beside the root, and approximates the two halves of the sum by rational functions with
// a pole at the nearest d each (the "middle way", Li 1993), inside a bracket.
func (s *secular) root(i int, gaps []float64) float64 {
	k := len(s.d)
	if k == 1 {
		gaps[0] = -s.rho * s.z[0] * s.z[0]
		return s.d[0] - gaps[0]
	}
	origin, left := i, i // left: last pole of the left half of the sum
	var low, high, at float64
	if i < k-1 {
		gap := s.d[i+1] - s.d[i]
		rest := s.without(i, gap/2)
		a, b := s.z[i]*s.z[i], s.z[i+1]*s.z[i+1]
		if rest+(b-a)/(gap/2) >= 0 { // at the middle: the root is to the left
			high = gap / 2
			at = pick(low, high, quadratic(rest, rest*gap+a+b, a*gap))
		} else {
			origin = i + 1
			low = -gap / 2
			at = pick(low, high, quadratic(rest, a+b-rest*gap, -b*gap))
		}
	} else {
		left = k - 2
		for _, z := range s.z {
			high += z * z
		}
		high *= s.rho
		at = high / 2
	}
	for j, d := range s.d {
		gaps[j] = d - s.d[origin]
	}
	pole1, pole2 := gaps[left], gaps[left+1]
	for range 100 {
		var psi, dpsi, phi, dphi float64
		for j, z := range s.z[:left+1] {
			t := z / (gaps[j] - at)
			psi += z * t
			dpsi += t * t
		}
		for j := left + 1; j < k; j++ {
			t := s.z[j] / (gaps[j] - at)
			phi += s.z[j] * t
			dphi += t * t
		}
		f := 1/s.rho + psi + phi
		noise := (8+math.Sqrt(float64(k)))*(1/s.rho+math.Abs(psi)+math.Abs(phi)) + math.Abs(at)*(dpsi+dphi)
		if math.Abs(f) <= epsilon*noise {
			break
		}
		if f < 0 {
			low = at
		} else {
			high = at
		}
		d1, d2 := pole1-at, pole2-at
		c := f - dpsi*d1 - dphi*d2
		step := quadratic(c, f*(d1+d2)-d1*d2*(dpsi+dphi), d1*d2*f)
		step[0] += at
		step[1] += at
		next := pick(low, high, step)
		if next == at || !(next > low && next < high) {
			break // no number between the ends of the bracket
		}
		at = next
	}
	for j := range gaps {
		gaps[j] -= at
	}
	return s.d[origin] + at
}

// without returns the left side at d_i + offset, less the terms of poles i and i+1.
func (s *secular) without(i int, offset float64) float64 {
	rest := 1 / s.rho
	for j, z := range s.z {
		if j != i && j != i+1 {
			rest += z * z / (s.d[j] - s.d[i] - offset)
		}
	}
	return rest
}

// quadratic returns the two roots of c x^2 - a x + b = 0 (the real part if complex).
func quadratic(c, a, b float64) [2]float64 {
	root := math.Sqrt(math.Max(a*a-4*b*c, 0))
	q := (a + math.Copysign(root, a)) / 2
	return [2]float64{q / c, b / q}
}

// pick returns the candidate that lies strictly between low and high, or their middle.
func pick(low, high float64, candidates [2]float64) float64 {
	for _, x := range candidates {
		if x > low && x < high {
			return x
		}
	}
	return low + (high-low)/2
}
