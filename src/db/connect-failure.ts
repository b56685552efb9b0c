import { codeOf, StartFailure } from './start-failure.ts'

/** Why no connection could be opened, as a sentence, if waiting for the server would not help. */
export function connectFailure(error: unknown): StartFailure | undefined {
  const says = sentence(codeOf(error), reasonOf(error))
  return says === undefined ? undefined : new StartFailure(says)
}

/** The message of an error. A host with several addresses has one error for each, and only their code says something. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message || codeOf(error) || 'no reason was given'
}

function sentence(code: string | undefined, reason: string): string | undefined {
  if (/does not support SSL/i.test(reason))
    return 'The server does not offer TLS, and DATABASE_URL asks for it: turn ssl on in PostgreSQL, or remove sslmode from DATABASE_URL if the network in between is yours.'
  if (isAboutCertificate(code))
    return `The certificate of the database server is not accepted (${reason}): add sslrootcert=<file of the authority> to DATABASE_URL, and name the server as its certificate does.`
  if (/client password must be a string/.test(reason))
    return 'The database asks for a password, and DATABASE_URL has none: postgres://user:password@host:5432/database.'
  if (/^ENOENT.*\bopen\b/.test(reason)) return `A file that DATABASE_URL names cannot be read (${reason}).`
  return code === undefined ? undefined : sentenceOfCode(code, reason)
}

function sentenceOfCode(code: string, reason: string): string | undefined {
  switch (code) {
    case '28P01':
      return `The database refuses the login (${reason}). Check the user and the password in DATABASE_URL; in a password, characters such as @ / # % are written as %40 %2F %23 %25.`
    case '28000':
      return /no encryption/.test(reason)
        ? `The database refuses connections without TLS (${reason}): add sslmode=verify-full to DATABASE_URL.`
        : `The database refuses the login (${reason}). Check the user in DATABASE_URL and pg_hba.conf of the server.`
    case '3D000':
      return `The server has no such database (${reason}). Create it, or correct the name at the end of DATABASE_URL.`
    case '42501':
      return `The login may not use the database (${reason}). Its owner can allow it: grant connect on database … to ….`
    case 'ENOTFOUND':
      return `The host in DATABASE_URL is unknown (${reason}). Check its name.`
    case 'EACCES':
    case 'EPERM':
      return `This user may not use the socket of PostgreSQL (${reason}).`
    case '08P01':
      return `The server, or a pooler in front of it, refuses the connection (${reason}). Check DATABASE_URL.`
    default:
      return undefined
  }
}

/** Codes of Node for certificates that are not trusted, expired or of another host, and for a failed handshake. */
const isAboutCertificate = (code = '') =>
  /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code)
