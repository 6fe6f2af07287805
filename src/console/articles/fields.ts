import type { Writing } from '../../articles/drafts.ts'
import { MAX_IMAGE } from '../../articles/images.ts'
import type { Article } from '../../articles/model.ts'
import type { ArticleLanguage } from '../../kinds/articles.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import { field, select, textArea } from '../components/forms.ts'
import { icons } from '../icons.ts'
import { forArticles, formatting } from '../inbox/answer/editor-tools.ts'
import type { Again, Visit } from '../visit.ts'
import { formats } from './list.ts'
import { needs } from './writing.ts'

/** What is written of an article; what few people touch is folded away, unless something is wrong with it. */
export function articleFields(
  visit: Visit,
  sourceId: string,
  { article, language, shown }: { article: Article | null; language: ArticleLanguage | ''; shown: Writing | null },
  again?: Again,
): Insert[] {
  const { say } = visit.wording
  const spoken = language || undefined
  const options = Object.entries(formats).map(([format, word]) => [format, say(word)] as const)
  const isWrong = ['slug', 'canonicalUrl', 'format'].includes(again?.problem.field ?? '')
  return [
    field(visit, {
      name: 'title',
      label: say('articleTitle'),
      value: shown?.title,
      language: spoken,
      required: needs(article, 'title'),
      maxLength: 255,
      again,
    }),
    html`${imageField(visit, sourceId)}<div data-rich-article>${formatting(visit, { controls: 'field-content', linkId: 'link-address', tools: forArticles })}${textArea(
      visit,
      {
        name: 'content',
        label: say('articleContent'),
        value: shown?.content ?? '',
        language: spoken,
        required: needs(article, 'content'),
        rows: 20,
        again,
      },
    )}<p class="help" role="status" data-why-markdown="${say('articleWhyMarkdown', { text: '{text}' })}"></p></div>`,
    html`<details class="article-more"${isWrong && html` open`}><summary>${say(language === '' ? 'articleMore' : 'articleMoreOfTranslation')}</summary><div class="stack">${[
      article === null &&
        language === '' &&
        field(visit, {
          name: 'slug',
          label: say('articleSlug'),
          value: shown?.slug,
          maxLength: 200,
          help: say('articleSlugHelp'),
          again,
        }),
      select(visit, {
        name: 'format',
        label: say('articleFormat'),
        options,
        value: shown?.format ?? 'markdown',
        again,
      }),
      field(visit, {
        name: 'canonicalUrl',
        type: 'url',
        label: say('articleCanonical'),
        value: shown?.canonicalUrl,
        maxLength: 2048,
        help: say('articleCanonicalHelp'),
        again,
      }),
    ]}</div></details>`,
  ]
}

/** Where a picture is chosen, and said what it shows: by a script, which uploads it. */
function imageField({ wording: { say, locale }, href }: Visit, sourceId: string): Markup {
  const size = writeSize(MAX_IMAGE, locale)
  return html`<button type="button" class="quiet image-open" data-image-open hidden>${icons.image}<span>${say('articleImage')}</span></button><div class="image-field" data-image="${href(`/console/articles/${sourceId}/images`)}" hidden><div class="field"><label for="image-file">${say('articleImageFile')}</label><input class="text" type="file" id="image-file" accept="image/png,image/jpeg,image/webp,image/gif"></div><div class="field"><label for="image-alt">${say('articleImageAlt')}</label><input class="text" id="image-alt" maxlength="500" aria-describedby="image-alt-help"><p class="help" id="image-alt-help">${say('articleImageAltHelp')}</p></div><p class="help" role="status" data-uploading="${say('articleImageUploading')}" data-failed="${say('articleImageFailed', { size })}"></p><div class="buttons"><button type="button" class="secondary" data-image-put>${say('articleImagePut')}</button><button type="button" class="quiet" data-image-cancel>${say('cancel')}</button></div></div>`
}

/** The page in a frame of its own, in which nothing runs. Where scripts run it follows what is typed. */
export function previewPane({ wording, href }: Visit, path: string, page: string | undefined): Markup {
  const { say } = wording
  return html`<section class="previewed" aria-label="${say('articlePreview')}" data-preview="${href(path)}"${page === undefined && html` hidden`}><p class="help">${say('articlePreviewHelp')}</p><iframe sandbox="allow-same-origin"${page !== undefined && html` srcdoc="${page}"`} title="${say('articlePreview')}"></iframe></section>`
}

/** What is translated, as its readers see it. Where scripts run it gives way to the preview and comes back. */
export function originalPane({ wording: { say } }: Visit, page: string, language: string): Markup {
  const choice = (value: string, text: string, isChosen: boolean) =>
    html`<label><input type="radio" name="beside" value="${value}" autocomplete="off"${isChosen && html` checked`}><span>${text}</span></label>`
  return html`<div class="switch" role="radiogroup" aria-label="${say('articleBeside')}" data-choose-beside hidden>${choice('original', say('articleOriginal'), true)}${choice('preview', say('articlePreview'), false)}</div><section class="previewed original" aria-label="${say('articleOriginal')}"><p class="help">${say('articleOriginalHelp', { language })}</p><iframe sandbox="allow-same-origin" srcdoc="${page}" title="${say('articleOriginal')}"></iframe></section>`
}

/** How an article is written; where there is no room for both, the page that it would make is chosen here as well. */
export function viewSwitch({ wording: { say } }: Visit): Markup {
  const choice = (value: string, text: string, isChosen: boolean) =>
    html`<label><input type="radio" name="view" value="${value}" autocomplete="off"${isChosen && html` checked`}><span>${text}</span></label>`
  return html`<div class="switch article-view" role="radiogroup" aria-label="${say('articleView')}" data-view hidden>${choice('rich', say('articleRich'), true)}${choice('markdown', say('articleMarkdown'), false)}${choice('preview', say('articlePreview'), false)}</div>`
}
