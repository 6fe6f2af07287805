import type { Config } from '../config.ts'
import { cookieNamed } from './session/cookies.ts'

/** How pages of the console look; `system`: as the reader's device does. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The longest that browsers keep a cookie, in seconds. */
const LONGEST = 400 * 24 * 60 * 60

/** Kept in a cookie: what suits the eye depends on the screen, and pages before the sign-in follow it too. */
export function themeCookie(config: Pick<Config, 'baseUrl'>) {
  const cookie = cookieNamed('frontdesk_theme', config)
  return {
    read: (request: Request): Theme => themeNamed(cookie.read(request) ?? '') ?? 'system',
    /** A header `set-cookie`. */
    write: (theme: Theme): string => (theme === 'system' ? cookie.clear() : cookie.write(theme, LONGEST)),
  }
}

export function themeNamed(name: string): Theme | undefined {
  return themes.find((theme) => theme === name)
}
