import { setCustomValue } from '../contacts/fields/custom-fields.ts'
import type { CustomValueInput } from '../contacts/fields/custom-values.ts'
import type { Contact } from '../contacts/model.ts'
import { createContact, unsubscribeContact } from '../contacts/operations.ts'
import { formatTime } from '../lib/time.ts'
import { createOrganisation } from '../organisations/operations.ts'
import type { Company } from './company.ts'
import { differentNames, mailName, storyPhone } from './names.ts'
import { Random } from './random.ts'
import { DAY, HOUR, MINUTE, momentBetween, type Step } from './timeline.ts'

const ORGANISATIONS = `Lantern House|Saltmarsh Inn|Quiet Oak Yoga|Fjellstua Lodge|Casa Azahar|Little Mill Pottery|
The Tidewater Rooms|Northlight Studios|Maison des Tilleuls|Birch & Barley Guest House|Kestrel Barn Weddings|Sunder Lane
Dance|Hotel Morgenrot|Cobble Court Cycles|Rosewater Baths|Old Signal Box Stays|Harrow Hill Riding School|The Paper
Lantern Theatre|Finca Los Olmos|Seven Sisters Surf School|Bramblewick Campsite|Umoja Community Hall|Clay & Kiln|Villa
Serenata|Driftwood Cabins|Pension Edelgrund|Fourth Floor Rehearsals|The Walled Garden Spa|Juniper Street Clinic|Riad
Zitouna|Moss Hollow Treehouses|Greta’s Canal Boats|The Long Table Cookery School|Ember Sauna Club|Hilltop Observatory
Tours|Lindenhof Seminars|Ryokan Tsubaki|Pebble Bay Kayaks|The Old Dairy Workshops|Saffron Row Co-working`
  .replaceAll('\n', ' ')
  .split('|')
  .map((name) => name.trim())

/** A customer, or somebody who may become one. */
export interface DemoContact {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly phone: string | null
  readonly organisation: string | null
  /** How we get to know them: they are in the CRM, or fill in a form or write to us one day. */
  readonly arrives: 'crm' | 'form' | 'message'
  /** When they were written into the CRM; null for the others. */
  readonly knownSince: number | null
}

const IN_CRM = 250
const BY_FORM = 40
const BY_MESSAGE = 20

/** Everybody in the demo; the same people every time. */
export function inventPeople(now: number): DemoContact[] {
  const random = new Random('people')
  const times = new Random('arrivals')
  return differentNames(random, IN_CRM + BY_FORM + BY_MESSAGE).map((name, index) => {
    const arrives = index < IN_CRM ? 'crm' : index < IN_CRM + BY_FORM ? 'form' : 'message'
    // The first ones see to it that no organisation is empty.
    const employer = ORGANISATIONS[index] ?? (random.chance(0.83) ? random.pick(ORGANISATIONS) : null)
    const organisation = arrives === 'crm' ? employer : null
    return {
      ...name,
      email: `${mailName(name)}@${organisation ? domainOf(organisation) : random.pick(['mailbox.example', 'post.test'])}`,
      phone: random.chance(0.55) ? storyPhone(random) : null,
      organisation,
      arrives,
      knownSince: arrives === 'crm' ? joinedAt(times, now) : null,
    }
  })
}

/** A third was brought along from the system before; the others came one by one. */
function joinedAt(random: Random, now: number): number {
  const imported = now - 88 * DAY
  return random.chance(0.33)
    ? imported + random.integer(0, 20 * MINUTE)
    : momentBetween(random, imported + DAY, now - 3 * HOUR)
}

function domainOf(organisation: string): string {
  const words = organisation
    .toLowerCase()
    .replace('&', 'and')
    .replace(/[^a-z ]/g, '')
  return `${words
    .split(' ')
    .filter((word) => word && word !== 'the')
    .join('')}.example`
}

/** How the organisations and contacts came into the CRM, and who has left the mailing lists. */
export function peopleSteps(company: Company, people: readonly DemoContact[], now: number): Step[] {
  const random = new Random('contacts')
  const times = new Random('unsubscribing')
  return [
    ...organisationSteps(people, now),
    ...people.flatMap((person) =>
      person.knownSince === null ? [] : contactSteps(company, person, { random, times, now }),
    ),
  ]
}

/** Each is there before its first contact, which then joins it by the domain of the email. */
function organisationSteps(people: readonly DemoContact[], now: number): Step[] {
  return ORGANISATIONS.map((name) => {
    const known = people.filter(({ organisation }) => organisation === name).map(({ knownSince }) => knownSince ?? now)
    return {
      at: Math.min(now - 2 * DAY, ...known) - 2 * HOUR,
      run: (tx, caller) => createOrganisation(tx, caller, { name, domain: domainOf(name) }),
    }
  })
}

interface Chance {
  random: Random
  /** For moments, which draw more or fewer numbers with the day of the week. */
  times: Random
  now: number
}

function contactSteps(company: Company, person: DemoContact, { random, times, now }: Chance): Step[] {
  const { first: name, last: lastName, email, phone, organisation } = person
  const at = person.knownSince as number
  const oneByOne = random.chance(0.62) ? 'api' : 'manual'
  const source: Contact['source'] = at < now - 87 * DAY ? 'import' : oneByOne
  const groupIds = groupsOf(company, organisation !== null, random)
  const values = organisation === null ? [] : customValues(company, organisation, random, now)
  let contactId = ''
  const steps: Step[] = [
    {
      at,
      async run(tx, caller) {
        const contact = await createContact(tx, caller, { email, name, lastName, phone, groupIds }, source)
        contactId = contact.id
      },
    },
    ...values.map(
      ([fieldId, value], index): Step => ({
        at: at + index + 1,
        run: (tx, caller) => setCustomValue(tx, caller, { contactId, fieldId, value }),
      }),
    ),
  ]
  if (random.chance(0.09)) {
    const unsubscribes = momentBetween(times, at + HOUR, now - 10 * MINUTE)
    steps.push({ at: unsubscribes, run: (tx, caller) => unsubscribeContact(tx, caller, contactId) })
  }
  return steps
}

function groupsOf({ groups }: Company, isCustomer: boolean, random: Random): number[] {
  const likely = [
    ['Product news', 0.55],
    ['Host newsletter', 0.35],
    ['Event invitations', 0.25],
    ['Research panel', 0.12],
    ['Beta testers', isCustomer ? 0.1 : 0],
    ['Account owners', isCustomer ? 0.2 : 0],
  ] as const
  return likely.filter(([, p]) => random.chance(p)).map(([name]) => groups[name])
}

type CustomValue = NonNullable<CustomValueInput>

/** Plan and renewal are the organisation's; all of its people have the same. */
function customValues({ fields }: Company, organisation: string, random: Random, now: number): [string, CustomValue][] {
  const account = new Random(`account ${organisation}`)
  const plan = account.weighted([
    ['Starter', 5],
    ['Team', 4],
    ['Business', 2],
  ] as const)
  const seats = account.integer(1, { Starter: 3, Team: 15, Business: 80 }[plan])
  const renewal = Math.floor((now + account.integer(5, 360) * DAY) / DAY) * DAY
  const channel = random.pick(['A friend or colleague', 'Search', 'A trade fair', 'An article', 'Our newsletter'])
  const values: [string, CustomValue][] = [
    [fields.Plan, { stringValue: plan }],
    [fields.Seats, { numberValue: seats }],
    [fields['Renewal date'], { dateValue: formatTime(renewal) }],
  ]
  return random.chance(0.4) ? [...values, [fields['Found us through'], { stringValue: channel }]] : values
}
