import type { FormRecord } from '../../forms/operations.ts'
import { MAX_FONT_SIZE } from '../../forms/settings/fonts.ts'
import type { FormSettings } from '../../forms/settings/model.ts'
import { MAX_PICTURE_SIZE } from '../../forms/settings/pictures.ts'
import type { SettingsChanges } from '../../forms/settings/read.ts'
import { wordLists as formLanguages } from '../../hosted/words/index.ts'
import { type FormFileKind, formFileKinds } from '../../kinds/form-files.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import { checkbox, field, select } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Again, Visit } from '../visit.ts'

/** What is chosen for the look of a form, and what language it speaks. */
export function lookFields(visit: Visit, { id }: FormRecord, settings: FormSettings, again?: Again): Markup {
  const { say } = visit.wording
  return stacked(
    select(visit, {
      name: 'language',
      label: say('settingLanguage'),
      options: [
        ['', say('settingLanguageOwn', { tenant: visit.session.tenantName })],
        ...languages(visit, settings.language),
      ],
      value: settings.language,
      again,
    }),
    select(visit, {
      name: 'mode',
      label: say('settingMode'),
      options: [
        ['page', say('settingModePage')],
        ['step', say('settingModeStep')],
      ],
      value: settings.mode,
      again,
    }),
    select(visit, {
      name: 'scheme',
      label: say('settingScheme'),
      options: [
        ['auto', say('settingSchemeAuto')],
        ['light', say('settingSchemeLight')],
        ['dark', say('settingSchemeDark')],
      ],
      value: settings.scheme,
      again,
    }),
    field(visit, {
      name: 'accent',
      label: say('settingAccent'),
      help: say('settingAccentHelp'),
      placeholder: '#0a7d4f',
      maxLength: 7,
      value: settings.accent,
      again,
    }),
    select(visit, {
      name: 'font',
      label: say('settingFont'),
      options: [
        ['sans', say('settingFontSans')],
        ['serif', say('settingFontSerif')],
        ['mono', say('settingFontMono')],
      ],
      value: settings.font,
      again,
    }),
    fileField(visit, id, settings, 'fontFile', again),
    select(visit, {
      name: 'corners',
      label: say('settingCorners'),
      options: [
        ['round', say('settingCornersRound')],
        ['slight', say('settingCornersSlight')],
        ['square', say('settingCornersSquare')],
      ],
      value: settings.corners,
      again,
    }),
    field(visit, {
      name: 'background',
      label: say('settingBackground'),
      help: say('settingBackgroundHelp'),
      placeholder: '#f4efe6',
      maxLength: 7,
      value: settings.background,
      again,
    }),
    fileField(visit, id, settings, 'backgroundImage', again),
    fileField(visit, id, settings, 'logo', again),
    fileField(visit, id, settings, 'cover', again),
  )
}

/** What the form looks like; with a script, as its look is chosen. */
export function lookPreview(visit: Visit, { id }: FormRecord): Markup {
  const { say } = visit.wording
  const path = visit.href(`/console/forms/${id}/preview`)
  return html`<section class="preview" aria-labelledby="preview-title" data-look-preview="${path}"><h2 id="preview-title">${say('builderPreview')}</h2>
<iframe src="${path}" title="${say('builderPreview')}"></iframe>
<p class="help">${say('settingsPreviewHelp')}</p></section>`
}

/** What each file is called on the page. */
const fileWords = {
  logo: { label: 'settingLogo', now: 'settingLogoNow', remove: 'settingLogoRemove' },
  cover: { label: 'settingCover', now: 'settingCoverNow', remove: 'settingCoverRemove' },
  backgroundImage: {
    label: 'settingBackgroundImage',
    now: 'settingBackgroundImageNow',
    remove: 'settingBackgroundImageRemove',
  },
  fontFile: { label: 'settingFontFile', now: 'settingFontFileNow', remove: 'settingFontFileRemove' },
} as const satisfies Record<FormFileKind, object>

/** The file as it is, a way to take it away, and one to choose another. */
function fileField(visit: Visit, id: string, settings: FormSettings, kind: FormFileKind, again?: Again): Markup {
  const { say, locale } = visit.wording
  const { label, now, remove } = fileWords[kind]
  const isFont = kind === 'fontFile'
  const [help, size] = isFont
    ? (['settingFontFileHelp', MAX_FONT_SIZE] as const)
    : (['settingPictureHelp', MAX_PICTURE_SIZE] as const)
  const current = settings[kind]
  const shown = isFont
    ? html`<span>${say(now)}: ${settings.fontFile?.family ?? say('settingFontFileUnnamed')}</span>`
    : html`<img src="${visit.href(`/console/forms/${id}/${kind}?v=${current?.version}`)}" alt="${say(now)}">`
  return html`${current !== null && html`<div class="logo">${shown}${checkbox(visit, { name: removalOf(kind), label: say(remove), again })}</div>`}${field(
    visit,
    {
      name: kind,
      label: say(label),
      help: say(help, { size: writeSize(size, locale) }),
      type: 'file',
      accept: isFont ? 'font/woff2,.woff2' : 'image/png,image/jpeg,image/gif,image/webp',
      again,
    },
  )}`
}

const removalOf = (kind: FormFileKind) => `remove${kind[0]?.toUpperCase()}${kind.slice(1)}`

export const stacked = (...fields: (Markup | false)[]) => html`<div class="stack">${fields}</div>`

/** Languages that forms have words in, and the one that was chosen at the command line. */
function languages({ wording }: Visit, chosen: string | null): [string, string][] {
  const names = new Intl.DisplayNames(wording.locale, { type: 'language' })
  const tags = new Set([...Object.keys(formLanguages), ...(chosen === null ? [] : [chosen])])
  return [...tags]
    .map((tag): [string, string] => [tag, names.of(tag) ?? tag])
    .sort(([, one], [, other]) => one.localeCompare(other, wording.locale))
}

/** What was sent of these fields but files, an empty one null: it clears its setting. */
export function lookChanges(text: (name: string) => string | null): SettingsChanges {
  return {
    language: text('language'),
    mode: text('mode'),
    scheme: text('scheme'),
    accent: text('accent'),
    font: text('font'),
    corners: text('corners'),
    background: text('background'),
  }
}

/** The files that were sent or are to go. */
export async function fileChanges(sent: FormFields): Promise<SettingsChanges> {
  const changes: { [K in FormFileKind]?: Uint8Array | null } = {}
  for (const kind of formFileKinds) {
    const file = sent.file(kind)
    if (file) changes[kind] = new Uint8Array(await file.arrayBuffer())
    else if (sent.has(removalOf(kind))) changes[kind] = null
  }
  return changes
}
