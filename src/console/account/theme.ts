import { invalid, rule } from '../../errors.ts'
import type { Guard } from '../guard.ts'
import { referringPage } from '../referring-page.ts'
import { themeCookie, themeNamed, themes } from '../theme.ts'
import { Redirect } from '../visit.ts'

/** What the switch at the foot of the navigation is sent to; leads back to the page it stood on. */
export function themePages(add: Guard): void {
  const cookie = themeCookie(add.deps.config)
  add.action('/console/account/theme', {}, (visit, sent) => {
    const theme = themeNamed(sent.text('theme'))
    if (!theme) throw invalid('theme', rule('one_of', { choices: themes.join(', ') }))
    return new Redirect(referringPage(visit.request, visit.href('')) ?? '/console/account', null, [cookie.write(theme)])
  })
}
