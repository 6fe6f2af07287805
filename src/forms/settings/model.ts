/** How a form's pages are asked: all questions of a page at once, or one at a time. */
export const modes = ['page', 'step'] as const
export const schemes = ['auto', 'light', 'dark'] as const

/** Families of letters that every device has; a form's own font goes before them. */
export const fontFamilies = ['sans', 'serif', 'mono'] as const
export const cornerKinds = ['round', 'slight', 'square'] as const

/** The longest text for the end of a form, before it is sanitised, in characters. */
export const MAX_THANKS = 10_000
/** The longest address, in characters. */
export const MAX_ADDRESS = 2000
export const MAX_HIDDEN_NAME = 40
export const HIDDEN_NAME = new RegExp(`^[a-z0-9_]{1,${MAX_HIDDEN_NAME}}$`)

/** What is known of a file that a form's pages are shown with; the file itself is `getFile`'s. */
interface LookFile {
  contentType: string
  /** In bytes. */
  size: number
  /** Another one for another file. */
  version: string
}

export interface Picture extends LookFile {
  /** In pixels. */
  width: number
  height: number
}

export interface Font extends LookFile {
  /** What it is called; null where it does not say. */
  family: string | null
  /** Whether it has all weights. */
  isVariable: boolean
}

/** What owners choose for a form beside its questions (decisions §12). It belongs to no revision: a change shows at once. */
export interface FormSettings {
  /** BCP 47; null for the tenant's. */
  language: string | null
  /** Sanitised simple HTML, shown at the end; null for our words. */
  thanks: string | null
  /** An `https:` address to which respondents are taken at the end; wins over `thanks`, which shows until they are there. */
  redirect: string | null
  /** `#rrggbb` as it was chosen; pages show a shade of it that can be read. */
  accent: string | null
  scheme: (typeof schemes)[number]
  font: (typeof fontFamilies)[number]
  /** Wins over `font`, which shows until it is there, and for the letters that it lacks. */
  fontFile: Font | null
  corners: (typeof cornerKinds)[number]
  /** `#rrggbb` around the form; dark pages show a dark shade of it. */
  background: string | null
  /** Covers what is around the form, and wins over `background`, which shows until it is there. */
  backgroundImage: Picture | null
  logo: Picture | null
  /** At the head of the form's first page. */
  cover: Picture | null
  mode: (typeof modes)[number]
  /** When collecting ends by itself. */
  closes: string | null
  /** How many complete responses end collecting by themselves. */
  maxResponses: number | null
  /** Names of the hidden fields. */
  hidden: readonly string[]
  /** Addresses that get a mail for each complete response. */
  notify: readonly string[]
  /** Whether respondents get their answers by mail, at the address that they give. */
  copy: boolean
  /** Whether they are offered a link by mail to go on with later. */
  later: boolean
}

export const defaultSettings: FormSettings = {
  language: null,
  thanks: null,
  redirect: null,
  accent: null,
  scheme: 'auto',
  font: 'sans',
  fontFile: null,
  corners: 'round',
  background: null,
  backgroundImage: null,
  logo: null,
  cover: null,
  mode: 'page',
  closes: null,
  maxResponses: null,
  hidden: [],
  notify: [],
  copy: false,
  later: false,
}

/** The settings that have no column of their own. */
export type OtherSettings = Omit<FormSettings, 'closes' | 'maxResponses'>

/** What a form is written in, BCP 47: its own language, else its tenant's, else English. */
export function languageOf({ language }: Pick<OtherSettings, 'language'>, tenants: string | null): string {
  return language ?? tenants ?? 'en'
}

/** Settings kept parsed: nearly every request to a hosted form needs those of its form. */
const CAPACITY = 1000

const parsed = new Map<string, OtherSettings>()

/** Settings as a form's row keeps them. */
export function parseSettings(text: string): OtherSettings {
  const known = parsed.get(text)
  if (known) return known
  const { closes: _closes, maxResponses: _most, ...defaults } = defaultSettings
  const settings = Object.freeze({ ...defaults, ...JSON.parse(text) }) as OtherSettings
  if (parsed.size >= CAPACITY) parsed.clear()
  parsed.set(text, settings)
  return settings
}

/** What `parseSettings` reads: only what differs from the defaults. */
export function storedSettings(settings: OtherSettings): string {
  const chosen = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultSettings[name as keyof OtherSettings]),
  )
  return JSON.stringify(Object.fromEntries(chosen))
}
