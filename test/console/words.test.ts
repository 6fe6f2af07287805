import { expect, test } from 'bun:test'
import { consoleWordingOf, consoleWordLists } from '../../src/console/words/index.ts'
import { describeWordLists } from '../support/sources/word-lists.ts'

/** Words that are the same in both languages. */
const alike: Record<string, string[]> = {
  de: [
    'authorApi',
    'authorSystem',
    'channelLivechat',
    'channelMessaging',
    'mailBcc',
    'mailCc',
    'markSpam',
    'ratingNps',
    'ruleKey_status',
    'ruleKey_team',
    'ruleKey_text',
    'ruleKey_user',
    'promiseName',
    'ruleName',
    'ruleTicket',
    'ruleWord_normal',
    'ruleWord_spam',
    'kind_team',
    'ticketFacts',
    'ticketList',
    'ticketNormal',
    'ticketSpam',
    'ticketStatus',
    'ticketTeam',
    'articleFormat',
    'articleHtml',
    'articleMarkdown',
    'articleOriginal',
    'articleRich',
    'contactOrganisation',
    'contactTicket',
    'contactId',
    'contactName',
    'contactFromApi',
    'contactFromImport',
    'contactFromMessaging',
    'contactText',
    'encoding_utf-8',
    'findTickets',
    'importField',
    'importReason',
    'editorCode',
    'editorLink',
    'eraseTickets',
    'keyName',
    'kindDid',
    'kind_organisation',
    'kind_ticket',
    'personKeptTickets',
    'kind_webhook',
    'mailboxFault',
    'mailboxFaultPlace',
    'mailboxGoogle',
    'mailboxHost',
    'mailboxMicrosoft',
    'mailboxPort',
    'mailboxStartTls',
    'mailboxTls',
    'mailboxUserBy',
    'milliseconds',
    'navChats',
    'navWebhooks',
    'organisationDomain',
    'passkeysTitle',
    'sessionBrowser',
    'settingLogo',
    'settingsTeams',
    'tagTickets',
    'themeSystem',
    'userName',
    'webhookColumn',
    'webhookName',
    'webhookUrl',
    'webhooksTitle',
  ],
}

describeWordLists(consoleWordLists, alike, ['en', 'de'])

/** What a sentence says in all its numbers, without what is put in. */
const said = (words: unknown): string => JSON.stringify(words).replace(/\{\w+\}/g, '')

// A German mailbox is a Postfach, too, and whoever asks for something makes an Anfrage.
test.each([
  ['inbox', /\binbox(es)?\b/, /mailbox/, /Postf[aä]ch/],
  ['ticket', /\btickets?\b/, /request/, /Anfrage/],
] as const)('in German %s has one word', (_, means, otherThing, otherWord) => {
  const { en, de } = consoleWordLists as Record<string, Record<string, unknown>>
  const about = Object.entries(en ?? {}).filter(([, words]) => {
    const text = said(words).toLowerCase()
    return means.test(text) && !otherThing.test(text)
  })
  expect(about.length).toBeGreaterThan(10)
  const otherwise = about.map(([key]) => [key, said(de?.[key])]).filter(([, text]) => otherWord.test(text as string))
  expect(otherwise).toEqual([])
})

test.each([
  [['de-AT', null], 'de'],
  [[null, 'de'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr'], 'en'],
  [[null], 'en'],
  [['constructor', '', 'not a language'], 'en'],
] as [(string | null)[], string][])('whoever wants %p reads %s', (wanted, language) => {
  expect(consoleWordingOf(...wanted).list).toBe(language)
})
