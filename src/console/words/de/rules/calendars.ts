import type { Translation } from '../../../../words/sentences.ts'
import type { calendarsRules as english } from '../../en/rules/calendars.ts'

export const calendarsRules: Translation<typeof english> = {
  rule_zone: '{text} ist keine Zeitzone. Wählen Sie eine wie Europe/Berlin oder UTC.',
  rule_hours_pair: 'Geben Sie zwei Zeiten an, etwa 09:00 und 17:00.',
  rule_hours_midnight: 'Was um Mitternacht beginnt, beginnt am nächsten Tag um 00:00.',
  rule_hours_equal: '{text} endet, wann es beginnt. Ein ganzer Tag ist 00:00-24:00.',
}
