import { expect, test } from 'bun:test'
import { consoleWordingOf, consoleWordLists } from '../../src/console/words/index.ts'
import { describeWordLists } from '../support/word-lists.ts'

/** Words that are the same in both languages. */
const alike: Record<string, string[]> = {
  de: [
    'authorApi',
    'authorSystem',
    'channelLivechat',
    'channelMessaging',
    'mailCc',
    'markSpam',
    'ratingNps',
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
    'articleRich',
    'contactOrganisation',
    'contactId',
    'contactName',
    'contactFromApi',
    'contactFromImport',
    'contactFromMessaging',
    'contactText',
    'encoding_utf-8',
    'importField',
    'importReason',
    'editorCode',
    'editorLink',
    'keyName',
    'kindDid',
    'kind_organisation',
    'kind_ticket',
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
    'navWebhooks',
    'organisationDomain',
    'passkeysTitle',
    'sessionBrowser',
    'settingsTeams',
    'tagTickets',
    'userName',
    'webhookColumn',
    'webhookName',
    'webhookUrl',
    'webhooksTitle',
  ],
}

describeWordLists(consoleWordLists, alike, ['en', 'de'])

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
