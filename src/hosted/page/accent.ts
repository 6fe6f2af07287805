/** A colour as its parts of red, green and blue, from 0 to 1. */
type Rgb = readonly [number, number, number]

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const CONTRAST = 4.5
/** Luminance of the darkest light background and of the lightest dark one that the accent colour stands on (`theme.css`). */
const LIGHT_GROUND = 0.86
const DARK_GROUND = 0.03
/** By how much of black or white a colour is mixed in one step, and for a button under the mouse. */
const STEP = 0.02
const HOVER = 0.14

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [1, 1, 1]

/** Shades of one colour. */
export interface Accent {
  /** For light pages: dark enough to be read on them, and for white text on it. */
  readonly light: Shades
  /** For dark pages: light enough. */
  readonly dark: Shades
  /** Of the backgrounds, in degrees of OKLCH; null for a grey, which has none. */
  readonly hue: number | null
}

interface Shades {
  readonly accent: string
  readonly hover: string
}

/** The shades of an accent colour `#rrggbb` that have enough contrast: the colour itself where it has it. */
export function accentOf(colour: string): Accent {
  const chosen = rgbOf(colour)
  const dark = (ground: number) => (ground + 0.05) / CONTRAST - 0.05
  const light = (ground: number) => (ground + 0.05) * CONTRAST - 0.05
  const onLight = mixUntil(chosen, BLACK, (shade) => luminance(shade) <= dark(LIGHT_GROUND))
  const onDark = mixUntil(chosen, WHITE, (shade) => luminance(shade) >= light(DARK_GROUND))
  return {
    light: { accent: hexOf(onLight), hover: hexOf(mix(onLight, BLACK, HOVER)) },
    dark: { accent: hexOf(onDark), hover: hexOf(mix(onDark, WHITE, HOVER)) },
    hue: hueOf(chosen),
  }
}

/** What is around a form, and what is written on it. */
interface Ground {
  readonly page: string
  readonly text: string
}

/**
 * Shades of a background colour `#rrggbb`: as it is on light pages, and dark enough for dark ones. What is written on
 * it is black or white, of which one always has enough contrast.
 */
export function backgroundOf(colour: string): { readonly light: Ground; readonly dark: Ground } {
  const chosen = rgbOf(colour)
  const dark = mixUntil(chosen, BLACK, (shade) => luminance(shade) <= DARK_GROUND)
  const groundOf = (shade: Rgb): Ground => {
    // Against black by what is lighter, against white by what is darker.
    const isLight = (luminance(shade) + 0.05) / 0.05 > 1.05 / (luminance(shade) + 0.05)
    return { page: hexOf(shade), text: isLight ? '#000' : '#fff' }
  }
  return { light: groundOf(chosen), dark: groundOf(dark) }
}

/** Rounded as it is written, so that what is measured is what shows. */
function mixUntil(colour: Rgb, other: Rgb, isEnough: (shade: Rgb) => boolean): Rgb {
  for (let part = 0; part < 1; part += STEP) {
    const shade = rgbOf(hexOf(mix(colour, other, part)))
    if (isEnough(shade)) return shade
  }
  return other
}

function mix(colour: Rgb, other: Rgb, part: number): Rgb {
  return colour.map((value, index) => value + ((other[index] as number) - value) * part) as unknown as Rgb
}

function rgbOf(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255) as unknown as Rgb
}

function hexOf(colour: Rgb): string {
  return `#${colour
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** Linear light of a part of sRGB. */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map(linear) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Hue in OKLCH (https://bottosson.github.io/posts/oklab/). */
function hueOf(colour: Rgb): number | null {
  const [red, green, blue] = colour.map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  if (Math.hypot(a, b) < 0.02) return null
  return Math.round((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
}
