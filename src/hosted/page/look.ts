import type { OtherSettings } from '../../forms/settings/model.ts'
import { type Accent, accentOf } from './accent.ts'

/** The rules of a form's own colour, to stand in its page; '' where it has none. Wins over `theme.css`. */
export function lookOf({ accent, scheme }: Pick<OtherSettings, 'accent' | 'scheme'>): string {
  if (accent === null) return ''
  const shades = accentOf(accent)
  const [light, dark] = [rule(shades, 'light'), rule(shades, 'dark')]
  if (scheme !== 'auto') return scheme === 'light' ? light : dark
  return `${light}@media(prefers-color-scheme:dark){${dark}}`
}

function rule(shades: Accent, scheme: 'light' | 'dark'): string {
  const { accent, hover } = shades[scheme]
  const hue = shades.hue === null ? '' : `--hue:${shades.hue};`
  return `:root:root:root{${hue}--accent:${accent};--accent-hover:${hover}}`
}

/** How a page's policy names that one style element. */
export function styleSource(css: string): string {
  return `'sha256-${new Bun.CryptoHasher('sha256').update(css).digest('base64')}'`
}
