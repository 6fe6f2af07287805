import type { calendars } from '../../../../errors/rules/calendars.ts'
import type { RuleWords } from '../../rules.ts'

export const calendarsRules = {
  rule_zone: '{text} is not a time zone. Choose one such as Europe/Berlin or UTC.',
  rule_hours_pair: 'Give two times, such as 09:00 and 17:00.',
  rule_hours_midnight: 'What begins at midnight begins on the next day, at 00:00.',
  rule_hours_equal: '{text} ends when it begins. A whole day is 00:00-24:00.',
  rule_day_off: '{text} is not a date and a name. Write a line for each day, such as 2026-12-25 Christmas.',
  rule_ics: 'Choose an ICS file.',
  rule_ics_too_much: 'This file holds more events than a calendar of holidays has.',
} as const satisfies RuleWords<typeof calendars>
