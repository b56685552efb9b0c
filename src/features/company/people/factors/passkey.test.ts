import { expect, test } from 'vitest'
import { siteOf } from './passkey.ts'

test.each([
  ['https://books.example.com', 'books.example.com', 'https://books.example.com'],
  ['https://books.example.com:8443', 'books.example.com', 'https://books.example.com:8443'],
  ['http://books.lan:3000', 'books.lan', 'http://books.lan:3000'],
  ['https://localhost.example.com', 'localhost.example.com', 'https://localhost.example.com'],
  ['https://127.0.0.1.example.com', '127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
])('passkeys of %s are bound to its host name and origin', (url, id, origin) => {
  expect(siteOf(url)).toEqual({ id, origins: [origin] })
})

test.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://127.1.2.3:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://localhost:3000'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://localhost', 'http://localhost'],
])('on a development machine passkeys of %s are bound to %s, as WebAuthn takes host names only', (url, origin) => {
  expect(siteOf(url)).toEqual({ id: 'localhost', origins: [origin] })
})
