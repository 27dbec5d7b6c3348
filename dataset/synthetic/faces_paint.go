package synthetic

import "math"

// colourAt is the colour of a person's picture at a point, from back to front: wall,
// clothes, neck, hair, ears, head, features, fringe. edge is the width of soft outlines.
func (t *facesTraits) colourAt(u, v, edge float64, m *facesMood) facesColour {
	// Into the head's own coordinates.
	const near = 1.12 // the head fills most of the picture
	u, v = (u-m.shiftX)/(near*m.zoom), (v-0.04-m.shiftY)/(near*m.zoom)
	sin, cos := math.Sincos(m.tilt)
	u, v = cos*u+sin*v, -sin*u+cos*v

	light := t.shading(u, v, m)
	colour := t.wall.times(0.9 + 0.1*m.lightX*u*0.5)
	colour = colour.over(t.cloth.times(light), facesSoft(facesEllipse(u, v, 0, 1.32, 1.05, 0.46), edge))
	neck := facesSoft(math.Abs(u)-0.30, edge) * facesSoft(0.4-v, edge) * facesSoft(v-1.05, edge*3)
	colour = colour.over(t.skin.times(light*0.72), neck)

	back := facesEllipse(u, v, 0, -0.10, t.width*1.14, t.height*0.98)
	if t.longHair {
		back = min(back, max(math.Abs(u)-t.width*1.12, -v-0.1, v-0.72))
	}
	strands := 0.92 + 0.08*math.Sin(26*u+9*v*v)
	colour = colour.over(t.hair.times((0.45+0.65*light)*strands), facesSoft(back, edge))

	for _, side := range []float64{-1, 1} {
		ear := facesEllipse(u, v, side*t.width*0.99, 0.04, 0.085, 0.15)
		colour = colour.over(t.skin.times(light*0.85), facesSoft(ear, edge))
	}

	// The jaw narrows toward the chin.
	narrow := t.width * (1 - t.jaw*max(0, v)*max(0, v))
	head := (math.Hypot(u/narrow, v/t.height) - 1) * narrow
	inside := facesSoft(head, edge)
	if inside > 0 {
		colour = colour.over(t.face(u, v, edge, light, m), inside)
	}

	// The fringe lies in front: everything above the hairline, near the head.
	line := -t.hairline + t.hairCurve*0.5*(u-t.parting)*(u-t.parting)
	fringe := max(v-line, facesEllipse(u, v, 0, -0.10, t.width*1.12, t.height*0.97))
	colour = colour.over(t.hair.times((0.45+0.65*light)*strands), facesSoft(fringe, edge*1.5))
	return colour
}

// shading is the brightness of a matt ellipsoid lit from one side, with the nose as
// a ridge that stands out of it.
func (t *facesTraits) shading(u, v float64, m *facesMood) float64 {
	x, y := u/(t.width*1.08), v/(t.height*1.08)
	turn := 0.12 * m.yaw
	// The nose ridge tilts the surface to either side.
	ridge := facesBump(u, v, turn, 0.10, t.noseWidth*0.9, t.noseLength*0.55)
	x += 0.9 * ridge * (u - turn) / t.noseWidth * 0.6
	y += 0.8 * facesBump(u, v, turn, 0.25, t.noseWidth, 0.05) * (v - 0.2) / 0.1 * 0.4
	z := math.Sqrt(max(0.04, 1-x*x-y*y))
	norm := math.Sqrt(x*x + y*y + z*z)
	strength := math.Sqrt(m.lightX*m.lightX + m.lightY*m.lightY + 1)
	lambert := (x*m.lightX + y*m.lightY + z) / (norm * strength)
	return m.ambient + (1.25-m.ambient)*max(0, lambert)
}

// face is the colour inside the outline of the head.
func (t *facesTraits) face(u, v, edge, light float64, m *facesMood) facesColour {
	turn := 0.12 * m.yaw // looking aside moves the features sideways
	u -= turn
	skin := t.skin
	// Sockets, cheeks, the fold beside the nose and the shadow of the chin.
	shade := 1.0
	for _, side := range []float64{-1, 1} {
		shade -= 0.20 * facesBump(u, v, side*t.eyeGap, t.eyeHeight-0.02, 0.16, 0.09)
		shade += 0.06 * facesBump(u, v, side*t.eyeGap*1.25, 0.22, 0.16, 0.12)
		shade -= (0.07 + 0.07*max(0, m.smile)) * facesBump(u, v, side*(t.noseWidth+0.11), 0.33, 0.035, 0.09)
	}
	shade -= 0.13 * facesBump(u, v, 0, t.mouthHeight+0.12, 0.16, 0.035)
	if t.beard {
		stubble := facesSoft(0.22-v+0.25*math.Abs(u)*0, 0.25) * (1 - 0.7*facesBump(u, v, 0, t.mouthHeight, t.mouthWidth, 0.06))
		skin = skin.over(t.hair, 0.75*stubble)
	}
	colour := skin.times(light * shade)
	colour = t.nose(colour, u, v, light, m)
	colour = t.mouth(colour, u, v, edge, light, m)
	for _, side := range []float64{-1, 1} {
		colour = t.eyeAndBrow(colour, u*side, v, side, edge, light, m)
	}
	if t.glasses {
		for _, side := range []float64{-1, 1} {
			rim := math.Abs(facesEllipse(u, v, side*t.eyeGap, t.eyeHeight+0.01, 0.185, 0.145))
			colour = colour.over(facesColour{0.08, 0.08, 0.09}, 0.85*facesSoft(rim-0.014, edge))
		}
		bridge := max(math.Abs(v-t.eyeHeight)-0.014, math.Abs(u)-(t.eyeGap-0.18))
		colour = colour.over(facesColour{0.08, 0.08, 0.09}, 0.85*facesSoft(bridge, edge))
	}
	return colour
}

// nose adds nostrils and the shadow that the nose throws away from the light.
func (t *facesTraits) nose(colour facesColour, u, v, light float64, m *facesMood) facesColour {
	tip := t.eyeHeight + t.noseLength + 0.08
	dark := t.skin.times(0.35 * light)
	for _, side := range []float64{-1, 1} {
		colour = colour.over(dark, 0.75*facesBump(u, v, side*t.noseWidth*0.55, tip+0.02, 0.028, 0.016))
		colour = colour.over(dark, 0.35*facesBump(u, v, side*t.noseWidth*1.05, tip-0.01, 0.016, 0.035))
	}
	colour = colour.over(dark, 0.25*facesBump(u, v, 0, tip+0.045, t.noseWidth*0.9, 0.022))
	throw := min(1, math.Abs(m.lightX)*0.6)
	if throw > 0 {
		aside := -math.Copysign(t.noseWidth*1.25, m.lightX)
		colour = colour.over(dark, 0.55*throw*facesBump(u, v, aside, tip-0.08, 0.05, 0.12))
	}
	return colour.over(facesColour{1, 0.97, 0.93}, 0.16*light*facesBump(u, v, 0, tip-0.05, 0.035, 0.05))
}

// mouth draws lips along a parabola that the smile bends, and the dark between them.
func (t *facesTraits) mouth(colour facesColour, u, v, edge, light float64, m *facesMood) facesColour {
	half := t.mouthWidth * (1 + 0.22*m.smile - 0.25*m.open)
	x := u / half
	middle := t.mouthHeight + 0.03*m.open - 0.075*m.smile*(x*x-0.35)
	taper := math.Sqrt(max(0, 1-x*x))
	gap := 0.13 * m.open * taper
	lips := max(math.Abs(v-middle)-(t.lipThick*(0.35+0.65*taper)+gap), math.Abs(u)-half)
	colour = colour.over(t.lip.times(light), 0.9*facesSoft(lips, edge))
	inner := max(math.Abs(v-middle)-gap, math.Abs(u)-half*0.92)
	colour = colour.over(facesColour{0.16, 0.05, 0.06}, facesSoft(inner, edge)*min(1, m.open*6))
	if m.open > 0.15 { // teeth
		teeth := max(math.Abs(v-(middle-gap*0.72))-gap*0.25, math.Abs(u)-half*0.75)
		colour = colour.over(facesColour{0.9, 0.88, 0.84}.times(0.4+0.6*light), 0.85*facesSoft(teeth, edge))
	}
	line := max(math.Abs(v-middle)-0.012, math.Abs(u)-half)
	return colour.over(t.lip.times(0.4*light), 0.8*facesSoft(line, edge)*(1-min(1, m.open*6)))
}

// eyeAndBrow draws one eye; u is mirrored so that outward is positive.
func (t *facesTraits) eyeAndBrow(colour facesColour, u, v, side, edge, light float64, m *facesMood) facesColour {
	cu, cv := t.eyeGap, t.eyeHeight
	tall := t.eyeSize * 0.52 * m.lids
	x := (u - cu) / t.eyeSize
	lid := math.Sqrt(max(0, 1-x*x))
	almond := max(math.Abs(v-cv)-tall*lid, math.Abs(u-cu)-t.eyeSize)
	white := facesSoft(almond, edge*0.8)
	colour = colour.over(facesColour{0.93, 0.93, 0.92}.times(0.35+0.6*light), white)
	gaze := cu + side*0.03*m.yaw
	iris := facesEllipse(u, v, gaze, cv, 0.058, 0.058)
	colour = colour.over(t.eye.times(0.5+0.5*light), white*facesSoft(iris, edge*0.8))
	colour = colour.over(facesColour{0.02, 0.02, 0.02}, white*facesSoft(facesEllipse(u, v, gaze, cv, 0.027, 0.027), edge*0.8))
	colour = colour.over(facesColour{1, 1, 1}, 0.8*white*facesSoft(facesEllipse(u, v, gaze-side*0.02, cv-0.02, 0.012, 0.012), edge))
	// Lashes along the upper lid.
	lashes := max(math.Abs(v-(cv-tall*lid))-0.013, math.Abs(u-cu)-t.eyeSize)
	colour = colour.over(t.hair.times(0.4), 0.8*facesSoft(lashes, edge))

	arch := cv - 0.155 - 0.05*m.brows - t.browTilt*(u-cu) + 0.9*(u-cu)*(u-cu)
	brow := max(math.Abs(v-arch)-t.browThick*(1-0.25*x), math.Abs(u-cu-0.01)-0.165)
	return colour.over(t.hair.times(0.35+0.5*light), 0.85*facesSoft(brow, edge))
}
