package wallclock

import (
	"testing"
	"time"
	_ "time/tzdata"
)

// The clock changes are from the tz database.
func TestDate(t *testing.T) {
	for _, c := range []struct {
		zone, wall, want string
		sense            Sense
	}{
		{"Europe/Berlin", "2024-03-31 01:59", "2024-03-31T01:59:00+01:00", Once},
		{"Europe/Berlin", "2024-03-31 02:00", "2024-03-31T03:00:00+02:00", Skipped},
		{"Europe/Berlin", "2024-03-31 02:30", "2024-03-31T03:30:00+02:00", Skipped},
		{"Europe/Berlin", "2024-03-31 03:00", "2024-03-31T03:00:00+02:00", Once},
		{"Europe/Berlin", "2024-10-27 01:59", "2024-10-27T01:59:00+02:00", Once},
		{"Europe/Berlin", "2024-10-27 02:00", "2024-10-27T02:00:00+02:00", Repeated},
		{"Europe/Berlin", "2024-10-27 02:59", "2024-10-27T02:59:00+02:00", Repeated},
		{"Europe/Berlin", "2024-10-27 03:00", "2024-10-27T03:00:00+01:00", Once},
		{"Europe/Berlin", "2024-07-01 12:00", "2024-07-01T12:00:00+02:00", Once},
		{"America/New_York", "2024-03-10 02:15", "2024-03-10T03:15:00-04:00", Skipped},
		{"America/New_York", "2024-11-03 01:15", "2024-11-03T01:15:00-04:00", Repeated},
		{"America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T01:00:00-02:00", Skipped},
		{"Australia/Lord_Howe", "2024-10-06 02:10", "2024-10-06T02:40:00+11:00", Skipped},
		{"Australia/Lord_Howe", "2024-04-07 01:45", "2024-04-07T01:45:00+11:00", Repeated},
		{"Pacific/Apia", "2011-12-30 12:00", "2011-12-31T12:00:00+14:00", Skipped}, // a whole day
		{"Asia/Kathmandu", "2024-10-27 02:30", "2024-10-27T02:30:00+05:45", Once},
		{"UTC", "2024-10-27 02:30", "2024-10-27T02:30:00Z", Once},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		w, err := time.Parse("2006-01-02 15:04", c.wall)
		if err != nil {
			t.Fatal(err)
		}
		got, sense := Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), 0, 0, zone)
		if got.Format(time.RFC3339) != c.want || sense != c.sense {
			t.Errorf("%s %s: %s %d, want %s %d", c.zone, c.wall, got.Format(time.RFC3339), sense, c.want, c.sense)
		}
	}
}

// Each moment of two years has a local time that leads back to it, or to the first of
// the two moments that have it.
func TestMomentProperty(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "America/Santiago"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		repeated := 0
		from := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		for u := from; u < from+2*366*86400; u += 600 {
			got, sense := Moment(u+offset(u, zone), zone)
			switch {
			case sense == Skipped, sense == Once && got != u, sense == Repeated && got > u:
				t.Fatalf("%s: %v became %v, sense %d", name, time.Unix(u, 0).In(zone), time.Unix(got, 0).In(zone), sense)
			case sense == Repeated:
				repeated++
			}
		}
		if repeated == 0 {
			t.Errorf("%s: no local time is repeated", name)
		}
	}
}
