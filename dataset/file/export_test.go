package file

// KeepFormats returns what forgets the formats that are registered from now on.
func KeepFormats() (forget func()) {
	before := known.Load()
	return func() { known.Store(before) }
}
