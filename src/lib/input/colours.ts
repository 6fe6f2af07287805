import { invalid, rule } from '../../errors.ts'

/** A colour `#rrggbb`, in small letters. Throws `invalid_request` that names `place`. */
export function checkColour(text: string, place: string): string {
  const colour = text.trim().toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw invalid(place, rule('colour'))
  return colour
}
