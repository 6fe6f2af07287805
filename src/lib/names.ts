import { invalid } from '../errors.ts'

/** The name of something people see in a list, trimmed. Throws `invalid_request` when it is blank or over 255 characters. */
export function checkName(name: string, place = 'name'): string {
  const trimmed = name.trim()
  if (!trimmed || trimmed.length > 255) throw invalid(place, 'must be 1 to 255 characters')
  return trimmed
}
