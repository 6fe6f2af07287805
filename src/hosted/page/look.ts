import type { FormSettings, OtherSettings } from '../../forms/settings/model.ts'
import type { FormFileKind } from '../../kinds/form-files.ts'
import { accentOf, backgroundOf } from './accent.ts'

/** What is chosen for the look of a form's page. */
export type Look = Pick<OtherSettings, 'accent' | 'scheme' | 'font' | 'corners' | 'background' | FormFileKind>

type Colours = Pick<Look, 'accent' | 'background' | 'scheme'>

/** Where a page finds the files of its look. */
export type FileAddresses = { readonly [K in FormFileKind]: string | null }

/** The files of a form under a path that ends in its launch code; none without one. */
export function fileAddresses(look: Pick<FormSettings, FormFileKind>, path: string | null): FileAddresses {
  const addressOf = (kind: FormFileKind) => {
    const file = look[kind]
    return file && path !== null ? `${path}/${kind}?v=${file.version}` : null
  }
  return {
    logo: addressOf('logo'),
    cover: addressOf('cover'),
    backgroundImage: addressOf('backgroundImage'),
    fontFile: addressOf('fontFile'),
  }
}

/** Letters that every device has, with those of Japanese that go with them. */
const FACES: { readonly [K in Look['font']]: string | null } = {
  sans: null,
  serif: 'ui-serif,Charter,Georgia,"Hiragino Mincho ProN","Yu Mincho",serif',
  mono: 'ui-monospace,"Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono",monospace',
}
const PLAIN_FACE = 'system-ui,sans-serif'

/** How round corners are, as a part of what they are by themselves. */
const ROUND: { readonly [K in Look['corners']]: number | null } = { round: null, slight: 0.4, square: 0 }

/** The rules of a form's own look, to stand in its page; '' where it has none. They win over `theme.css`. */
export function lookOf(look: Look, files: FileAddresses): string {
  return fontFace(look, files) + rule(shapesOf(look, files)) + colourRules(look)
}

/** Those of its colours alone. */
export function colourRules(look: Colours): string {
  const light = rule(coloursOf(look, 'light'))
  const dark = rule(coloursOf(look, 'dark'))
  const byDevice = dark === '' ? light : `${light}@media(prefers-color-scheme:dark){${dark}}`
  return { auto: byDevice, light, dark }[look.scheme]
}

function rule(declarations: readonly string[]): string {
  return declarations.length > 0 ? `:root:root:root{${declarations.join(';')}}` : ''
}

function coloursOf({ accent, background }: Colours, scheme: 'light' | 'dark'): string[] {
  const declarations: string[] = []
  if (accent !== null) {
    const shades = accentOf(accent)
    if (shades.hue !== null) declarations.push(`--hue:${shades.hue}`)
    declarations.push(`--accent:${shades[scheme].accent}`, `--accent-hover:${shades[scheme].hover}`)
  }
  if (background !== null) {
    const { page, text } = backgroundOf(background)[scheme]
    declarations.push(`--page:${page}`, `--on-page:${text}`)
  }
  return declarations
}

function shapesOf({ font, corners }: Look, { backgroundImage, fontFile }: FileAddresses): string[] {
  const face = FACES[font] ?? (fontFile !== null ? PLAIN_FACE : null)
  return [
    ...(face === null ? [] : [`--face:${fontFile === null ? '' : 'own,'}${face}`]),
    ...(ROUND[corners] === null ? [] : [`--round:${ROUND[corners]}`]),
    ...(backgroundImage === null ? [] : [`--picture:url("${backgroundImage}")`]),
  ]
}

/** Text shows at once in other letters. Those of a font with one weight are made bold by the browser. */
function fontFace({ fontFile }: Look, files: FileAddresses): string {
  if (!fontFile || files.fontFile === null) return ''
  const weights = fontFile.isVariable ? ';font-weight:100 900' : ''
  return `@font-face{font-family:own;src:url("${files.fontFile}")format("woff2");font-display:swap${weights}}`
}

/** How a page's policy names that one style element. */
export function styleSource(css: string): string {
  return `'sha256-${new Bun.CryptoHasher('sha256').update(css).digest('base64')}'`
}
