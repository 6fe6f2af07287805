import { expect, test } from 'bun:test'
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
