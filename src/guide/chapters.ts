import backupAndUpgrade from './backup-and-upgrade.md' with { type: 'text' }
import changelog from './changelog.md' with { type: 'text' }
import chatAndHelp from './chat-and-help.md' with { type: 'text' }
import client from './client.md' with { type: 'text' }
import configuring from './configuring.md' with { type: 'text' }
import consoleChapter from './console.md' with { type: 'text' }
import contacts from './contacts.md' with { type: 'text' }
import contributing from './contributing.md' with { type: 'text' }
import deploying from './deploying.md' with { type: 'text' }
import forms from './forms.md' with { type: 'text' }
import growing from './growing.md' with { type: 'text' }
import keepingData from './keeping-data.md' with { type: 'text' }
import mail from './mail.md' with { type: 'text' }
import mcp from './mcp.md' with { type: 'text' }
import alerts from './monitoring/alerts.yml' with { type: 'file' }
import board from './monitoring/board.json' with { type: 'file' }
import monitoring from './monitoring.md' with { type: 'text' }
import formPicture from './pictures/form.webp' with { type: 'file' }
import inboxPicture from './pictures/inbox.webp' with { type: 'file' }
import postgresql from './postgresql.md' with { type: 'text' }
import contents from './README.md' with { type: 'text' }
import receivingWebhooks from './receiving-webhooks.md' with { type: 'text' }
import recipes from './recipes.md' with { type: 'text' }
import rules from './rules.md' with { type: 'text' }
import { type Section, sectionsOf } from './sections.ts'
import workingHours from './working-hours.md' with { type: 'text' }

/** A page of the guide as it is written, which GitHub shows as well. Taken apart once somebody reads the guide. */
export class Chapter {
  #sections: readonly Section[] | undefined

  /** `slug` is the name of its file; '' is the front page. `path` is that of its page. */
  constructor(
    readonly slug: string,
    readonly markdown: string,
    readonly path = `/docs/guide/${slug}`,
  ) {}

  /** What its headings part it into; the first is its beginning, under its title. */
  get sections(): readonly Section[] {
    this.#sections ??= sectionsOf(this.markdown)
    return this.#sections
  }

  get title(): string {
    return this.sections[0]?.title ?? this.slug
  }
}

/** The front page, which lists the chapters. */
export const frontPage = new Chapter('', contents, '/docs/guide')

/** In the order of their readers: who programs with frontdesk, who runs it, who works in it, who changes it. */
export const chapters: readonly Chapter[] = [
  new Chapter('client', client),
  new Chapter('mcp', mcp),
  new Chapter('receiving-webhooks', receivingWebhooks),
  new Chapter('recipes', recipes),
  new Chapter('contacts', contacts),
  new Chapter('forms', forms),
  new Chapter('chat-and-help', chatAndHelp),
  new Chapter('changelog', changelog, '/docs/changelog'),
  new Chapter('deploying', deploying),
  new Chapter('configuring', configuring),
  new Chapter('mail', mail),
  new Chapter('postgresql', postgresql),
  new Chapter('growing', growing),
  new Chapter('keeping-data', keepingData),
  new Chapter('backup-and-upgrade', backupAndUpgrade),
  new Chapter('monitoring', monitoring),
  new Chapter('console', consoleChapter),
  new Chapter('rules', rules),
  new Chapter('working-hours', workingHours),
  new Chapter('contributing', contributing),
]

/** Paths of what the chapters show, by the name under `pictures/`. */
export const pictures: Readonly<Record<string, string>> = { 'form.webp': formPicture, 'inbox.webp': inboxPicture }

/** Paths of files that the chapter on monitoring hands out, by their name under `monitoring/`, and their type. */
export const monitoringFiles: Readonly<Record<string, readonly [path: string, type: string]>> = {
  'alerts.yml': [alerts, 'application/yaml; charset=utf-8'],
  'board.json': [board as unknown as string, 'application/json'],
}
