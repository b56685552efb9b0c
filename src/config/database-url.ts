import { parseUrl } from '../core/values/url.ts'
import { type Environment, WrongSetting } from './wrong-setting.ts'

const example = 'postgres://user:password@db.example.com:5432/kontor'

/** The address in DATABASE_URL, checked as far as that is possible without connecting. No message repeats it: it has a password. */
export function databaseUrl({ DATABASE_URL: text }: Environment): string | undefined {
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new WrongSetting('DATABASE_URL must begin with postgres:// or postgresql://.')
  const url = parseUrl(text.replace('@/', '@localhost/')) // a socket in ?host= needs no host
  if (!url || /[@\s]/.test(url.pathname) || url.hash !== '' || /%(?![0-9a-f]{2})/i.test(text))
    throw new WrongSetting(
      `DATABASE_URL cannot be read. It looks like ${example}; in the user and the password, @ is %40, : is %3A, / is %2F, # is %23 and % is %25.`,
    )
  const { searchParams, pathname } = url
  if (pathname.length < 2) throw new WrongSetting(`DATABASE_URL must end with the name of a database: ${example}.`)
  if (!url.hostname && !searchParams.get('host')) throw new WrongSetting(`DATABASE_URL names no host: ${example}.`)
  refuseOptions(searchParams)
  return text
}

const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

function refuseOptions(given: URLSearchParams) {
  const mode = given.get('sslmode')
  if (mode !== null && !tlsModes.includes(mode))
    throw new WrongSetting(`sslmode in DATABASE_URL must be one of ${tlsModes.join(', ')}; it is "${mode}".`)
  if (given.has('options'))
    throw new WrongSetting(
      'DATABASE_URL must not have options=…: Kontor sets the options of its connections itself. Use alter role … set … instead.',
    )
}
