import { expect, test } from 'bun:test'
import { noteSilence, silentLast } from '../../src/db/postgres/hosts.ts'
import { hasSeveralHosts, ofDatabase, withoutPassword } from '../../src/db/postgres/url.ts'

test('a server’s URL is shown without its password, and leads to other databases of it, of one host or of several', () => {
  const one = 'postgres://frontdesk:s%40cret@db.example.com:5432/frontdesk?sslmode=require'
  expect(withoutPassword(one)).toEqual({
    url: 'postgres://frontdesk@db.example.com:5432/frontdesk?sslmode=require',
    password: 's@cret',
  })
  expect(ofDatabase(one, 'spare')).toBe('postgres://frontdesk:s%40cret@db.example.com:5432/spare?sslmode=require')
  const two = 'postgres://frontdesk@db1:5432,[::1]:5433'
  expect(withoutPassword(two)).toEqual({ url: two, password: '' })
  expect(ofDatabase(two, 'a/b')).toBe('postgres://frontdesk@db1:5432,[::1]:5433/a%2Fb')
  expect([one, two, 'postgres:///local?host=/run'].map(hasSeveralHosts)).toEqual([false, true, false])
})

test('hosts that said nothing are asked last, the latest of them at the end, whether their port is named or not', () => {
  const url = 'postgres://frontdesk:s%40cret@a.silent.test,[fd00::1]:5433,c.silent.test:5432/frontdesk?sslmode=require'
  expect(silentLast(url)).toBe(url)
  expect(noteSilence({ code: 'ECONNREFUSED', address: 'a.silent.test', port: 5432 })).toBe(false)
  expect(silentLast(url)).toBe(url)
  expect(noteSilence({ code: 'CONNECT_TIMEOUT', address: 'a.silent.test', port: 5432 })).toBe(true)
  expect(silentLast(url)).toContain('@[fd00::1]:5433,c.silent.test:5432,a.silent.test/frontdesk?sslmode=require')
  noteSilence({ code: 'CONNECT_TIMEOUT', address: 'fd00::1', port: 5433 })
  expect(silentLast(url)).toContain('@c.silent.test:5432,a.silent.test,[fd00::1]:5433/')
  const one = 'postgres://frontdesk@a.silent.test/frontdesk'
  expect(silentLast(one)).toBe(one)
})
