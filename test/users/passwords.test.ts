import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { hashPassword, isPassword, randomPassword } from '../../src/users/passwords/passwords.ts'

const ABOUT = ['ada.lovelace@acme.test', 'Ada Lovelace', 'Acme Sprockets']

/** Why a password is refused; null where it is taken. */
const refusalOf = (password: string, about: readonly (string | null)[] = ABOUT) =>
  hashPassword(password, about).then(
    () => null,
    (error) => (error instanceof AppError ? error.message : error),
  )

describe('a password', () => {
  test.each([
    ['aaaaaaaaaaaa', 'repeats itself'],
    ['abcabcabcabcabc', 'repeats itself'],
    ['abcdefghijklmn', 'follow one another'],
    ['123456789012', 'many people'],
    ['Passwort1234', 'many people'],
    ['ada.lovelace@acme.test', 'the company'],
    ['adalovelace1', 'the company'],
    ['Acme Sprockets', 'the company'],
    ['Acme-Sprockets', 'the company'],
    ['a1'.repeat(500), 'repeats itself'],
    ['aA1!'.repeat(250), 'repeats itself'],
  ])('%s is guessed easily, and is refused with the reason', async (password, why) => {
    const refusal = await refusalOf(password)
    expect(refusal).toStartWith('password: is too easy to guess: ')
    expect(refusal).toContain(why)
    expect(refusal).not.toContain(password)
  })

  test.each(['correct horse battery', 'Fahrradlampe Kuchen', 'drei kleine Schweinchen', 'x9$Kq2vLw8zR'])(
    '%s will do',
    async (password) => expect(await refusalOf(password)).toBeNull(),
  )

  test('that somebody else’s name makes is nobody else’s weakness', async () => {
    expect(await refusalOf('zyxomorph.quendel', ['zyxomorph.quendel@acme.test', null, null])).toContain('the company')
    expect(await refusalOf('ZyxomorphQuendel', ['zyxomorph.quendel@acme.test', null, null])).toContain('the company')
    expect(await refusalOf('zyxomorph.quendel')).toBeNull()
  })

  test('of 12 to 1000 characters and one line is looked at, others are not', async () => {
    expect(await refusalOf('x9$Kq2vLw8z')).toBe('password: must be of 12 to 1000 characters')
    expect(await refusalOf('x'.repeat(1001))).toBe('password: must be of 12 to 1000 characters')
    expect(await refusalOf('correct horse\nbattery staple')).toBe('password: must be one line')
  })

  test('however long it is, and however many, keeps the serving thread free', async () => {
    const letters = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 90))).join('')
    const [all, own] = [process.cpuUsage(), process.threadCpuUsage()]
    await Promise.all([letters, [...letters].reverse().join(''), 'l33t'.repeat(250)].map((one) => refusalOf(one)))
    const timeOf = ({ user, system }: NodeJS.CpuUsage) => user + system
    // Looked at on this thread, the three would take it nearly all of the processor's time, whoever else has it meanwhile.
    expect(timeOf(process.threadCpuUsage(own))).toBeLessThan(timeOf(process.cpuUsage(all)) / 2)
  })

  test('that is made is known by its hash', async () => {
    const { password, hash } = await randomPassword()
    expect(password).toMatch(/^[\w-]{20}$/)
    expect(await isPassword(password, hash)).toBe(true)
    expect(await refusalOf(password)).toBeNull()
  })

  test('is stored as a hash that takes 64 MiB and two passes over them, unless somebody says otherwise', async () => {
    const { hash } = await randomPassword()
    for (const one of [hash, await hashPassword('correct horse battery', ABOUT)]) {
      expect(one).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
    }
  })
})
