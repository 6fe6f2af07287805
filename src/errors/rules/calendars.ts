/** What working hours are held to. */
export const calendars = {
  zone: '{text} is not a time zone: it must be one such as Europe/Berlin or UTC',
  hours_pair: 'must be two times, such as ["09:00", "17:00"]',
  hours_midnight: 'must begin before 24:00: what begins at midnight begins the next day at 00:00',
  hours_equal: '{text} must end at another time than it begins: a whole day is 00:00-24:00',
  day_off: '{text} must be a date and a name, such as 2026-12-25 Christmas',
  ics: 'must be an ICS file',
  ics_too_much: 'holds more events than a calendar of holidays has',
} as const
