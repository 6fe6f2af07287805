import { html, type Markup } from '../../../../lib/html/markup.ts'
import { linkButton } from '../../../components/display.ts'
import type { PageContent, Visit } from '../../../visit.ts'
import { formHead } from '../../form-head.ts'
import { buildPath, builtForm } from '../draft.ts'
import { drawMap } from './map-lines.ts'
import { type MapBox, type MapRow, mapBoxes } from './map-rows.ts'
import { warned } from './warned.ts'
import { countOf, warningsOf } from './warnings.ts'

/** The way through a form as a drawing: its pages, what depends on what, and its ends. */
export async function mapPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const built = await builtForm(visit)
  const { form, draft } = built
  const warnings = warningsOf(built)
  const boxes = mapBoxes(visit, built, warnings)
  const { ways, links } = drawMap(boxes)
  const count = countOf(warnings)
  const here = { ...visit, url: new URL(buildPath(form.id), visit.url) }
  return {
    title: `${say('mapTitle')} · ${draft.title}`,
    body: html`${formHead(here, { ...form, title: draft.title })}
<section class="card map-card" aria-labelledby="map-title"><div class="head"><h2 id="map-title">${say('mapOpen')}</h2>${linkButton(visit, buildPath(form.id), say('mapBack'), 'secondary')}</div>
<p class="help">${say('mapIntro')}</p>
${count > 0 && html`<p class="note">${say('logicWarnings', { count })}</p>`}
<div class="map">${ways}<ol class="map-boxes">${boxes.map((box) => boxItem(visit, box))}</ol>${links}</div></section>`,
  }
}

function boxItem(visit: Visit, { kind, head, rows }: MapBox): Markup {
  return html`<li class="map-box map-${kind}${head.when !== null && ' depends'}">${rowLine(visit, head, 'map-head')}<ol>${rows.map(
    (row) => html`<li>${rowLine(visit, row, row.when === null ? 'map-row' : 'map-row depends')}</li>`,
  )}</ol></li>`
}

function rowLine(visit: Visit, { path, label, text, when, warning }: MapRow, kind: string): Markup {
  const { say } = visit.wording
  return html`<div class="${kind}${warning !== undefined && ' has-warning'}"><a href="${visit.href(path)}"><span class="map-label">${label}</span>${text !== '' && html` <span class="map-text" dir="auto">${text}</span>`}</a>${
    when !== null &&
    html`<span class="map-when" dir="auto" title="${when}">${say('mapWhen', { conditions: when })}</span>`
  }${warned(visit, warning)}</div>`
}
