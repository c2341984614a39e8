package symbols

import _ "embed" // for the export data

//go:embed data/export_std_linux_arm64.zip
var exportPlatform []byte
