import { expect, test } from 'vitest'
import { readConfig, WrongSetting } from './config.ts'

test('without a mail server there is still an address that mail comes from', () => {
  expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: 'mail@kontor.test' })
})

test('a mail server and its address are taken as given', () => {
  const SMTP_URL = 'smtps://amy:p%40ss@mail.example.com'
  expect(readConfig({ SMTP_URL, MAIL_FROM: 'Books@Example.com' })).toMatchObject({
    smtpUrl: SMTP_URL,
    mailFrom: 'Books@example.com',
  })
})

const MAIL_FROM = 'books@example.com'
test.each([
  [{ SMTP_URL: 'mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com?tls=maybe', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com?tls.rejectUnauthorized=false', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://amy:100%@mail.example.com', MAIL_FROM }, 'SMTP_URL must look like'],
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM is required with SMTP_URL'],
  [{ MAIL_FROM: 'Acme <books@example.com>' }, 'MAIL_FROM must be one plain address'],
  [{ MAIL_FROM: 'books' }, 'MAIL_FROM must be one plain address'],
])('%j stops the start with a sentence that names the variable', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(WrongSetting)
  expect(() => readConfig(env)).toThrow(sentence)
})

test('a wrong SMTP_URL is not repeated, for it may hold a password', () => {
  expect(() => readConfig({ SMTP_URL: 'smpt://amy:hunter2@mail.example.com', MAIL_FROM })).toThrow(/^(?!.*hunter2)/)
})
