import type { ColumnTarget, ContactColumn, ValueKind } from '../../kinds/contact-imports.ts'
import { isEmail } from '../../lib/input/email.ts'
import type { CustomField } from '../rows.ts'
import { dateOf, numberOf } from './rows.ts'

/** How the columns of other programs, and of our own exports, are called: in small letters, without what is no letter. */
const headings: Readonly<Record<ContactColumn, readonly string[]>> = {
  email: [
    'email',
    'mail',
    'emailaddress',
    'emailadresse',
    'mailadresse',
    'mailaddress',
    'emails',
    'correo',
    'courriel',
  ],
  name: ['firstname', 'vorname', 'givenname', 'forename', 'name', 'first', 'prenom', 'nombre'],
  lastName: ['lastname', 'nachname', 'surname', 'familyname', 'familienname', 'last', 'nom', 'apellido'],
  phone: [
    'phone',
    'telefon',
    'telephone',
    'tel',
    'mobile',
    'mobil',
    'handy',
    'phonenumber',
    'telefonnummer',
    'mobilephone',
  ],
  organisation: ['organisation', 'organization', 'company', 'firma', 'unternehmen', 'companyname', 'firmenname'],
  groups: ['groups', 'group', 'gruppen', 'gruppe', 'lists', 'listen', 'tags'],
  unsubscribed: ['unsubscribed', 'unsubscribedsince', 'abgemeldet', 'abgemeldetseit', 'optout'],
}

/** What a file's columns seem to be, by their headings and what stands below. */
export interface Recognised {
  readonly hasHeadings: boolean
  readonly columns: readonly (ColumnTarget | null)[]
}

/** What the first records of a file say of its columns. */
export function recogniseColumns(records: readonly (readonly string[])[], fields: readonly CustomField[]): Recognised {
  const [first = []] = records
  const hasHeadings = !first.some((cell) => isEmail(cell.trim()))
  const taken = new Set<string>()
  const columns = first.map((heading, index) => {
    const samples = records
      .slice(hasHeadings ? 1 : 0)
      .map((cells) => (cells[index] ?? '').trim())
      .filter((text) => text !== '')
    const target = hasHeadings ? targetOf(heading, samples, fields) : samples.some(isEmail) ? 'email' : null
    if (target === null || taken.has(target)) return null
    taken.add(target)
    return target
  })
  return { hasHeadings, columns }
}

function targetOf(heading: string, samples: readonly string[], fields: readonly CustomField[]): ColumnTarget | null {
  const wanted = plain(heading)
  if (wanted === '') return null
  const field = fields.find(({ name }) => plain(name) === wanted)
  if (field) return `${field.type ?? recogniseKind(samples)}:${field.id}`
  const known = Object.entries(headings).find(([, names]) => names.includes(wanted))
  return known ? (known[0] as ContactColumn) : null
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** What the values of a column seem to be; a number that begins with a zero is rather a text. */
export function recogniseKind(samples: readonly string[]): ValueKind {
  if (samples.length === 0) return 'text'
  if (samples.every((text) => numberOf(text) !== null && !/^-?0\d/.test(text))) return 'number'
  return samples.every((text) => dateOf(text) !== null) ? 'date' : 'text'
}
