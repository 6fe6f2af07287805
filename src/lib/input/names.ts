import { invalid, rule } from '../../errors.ts'

/** The name of something people see in a list, trimmed. Throws `invalid_request` when it is blank or over 255 characters. */
export function checkName(name: string, place = 'name'): string {
  const trimmed = name.trim()
  if (!trimmed || trimmed.length > 255) throw invalid(place, rule('length', { least: 1, most: 255 }))
  return trimmed
}
