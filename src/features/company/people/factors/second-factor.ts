import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import QRCode from 'qrcode'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { createSeal } from '../../../../core/secrets/seal.ts'
import type { Secrets } from '../../../../core/secrets/secrets.ts'
import type { Database } from '../../../../db/database.ts'
import { pipeline } from '../../../../db/pipeline.ts'

/** An authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost. */

const periodS = 30
/** How many periods the app's clock may be off in either direction. */
const stepsOff = 1
const codesCount = 10

const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Kontor',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodS,
    secret: OtpSecret.fromBase32(secret),
  })

const sealOf = (secrets: Secrets) => createSeal(secrets.derived('second-factor'))
const purposeOf = (userId: string) => `authenticator:${userId}`

/** A secret to show to the app, as text, address and picture, and sealed for storage. */
export async function newAuthenticator(secrets: Secrets, user: { id: string; email: string }) {
  const secret = new OtpSecret({ size: 20 }).base32
  const uri = totpOf(secret, user.email).toString()
  const sealed = sealOf(secrets).close(secret, purposeOf(user.id))
  return { secret, uri, qr: await QRCode.toString(uri, { type: 'svg', margin: 1 }), sealed }
}

/** Stores it unconfirmed, in place of an earlier unconfirmed one; sign-in does not ask for its codes yet. */
export async function insertAuthenticator(db: Database, userId: string, sealed: string) {
  const fresh = { secret: sealed, lastStep: 0, createdAt: sql<string>`now()` }
  const inserted = await db
    .insertInto('authenticators')
    .values({ userId, ...fresh, confirmedAt: null })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(fresh).where('authenticators.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst()
  if (!inserted) throw conflict('An authenticator app is set up already. Remove it first to set up another.')
}

/** Turns it on: a right code proves that the app has the secret. Answers the recovery codes, which are shown once. */
export async function confirmAuthenticator(
  db: Database,
  secrets: Secrets,
  { userId, code }: GivenCode,
): Promise<string[]> {
  const row = await authenticatorOf(db, userId)
  if (!row) throw conflict('There is nothing to confirm. Begin with a new authenticator app.')
  if (row.confirmedAt) throw conflict('The authenticator app was confirmed before.')
  if (!(await spendCode(db, secrets, { userId, code, row }))) throw wrongCode()
  await db.updateTable('authenticators').set({ confirmedAt: sql`now()` }).where('userId', '=', userId).execute()
  return newRecoveryCodes(db, secrets, userId)
}

export async function removeAuthenticator(db: Database, userId: string) {
  await pipeline({
    authenticator: db.deleteFrom('authenticators').where('userId', '=', userId).execute(),
    recoveryCodes: db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute(),
  })
}

/** Replaces the recovery codes. */
export async function newRecoveryCodes(db: Database, secrets: Secrets, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesCount }, newCode)
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute()
  await db
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ userId, codeHash: hashOf(secrets, userId, code), usedAt: null })))
    .execute()
  return codes
}

type GivenCode = { userId: string; code: string }

/**
 * Checks and uses up the code that sign-in needs beside the password. A second factor that was lost with the key of the
 * installation is still required: new recovery codes pass, which a person who is signed in can make.
 */
export async function secondFactor(
  db: Database,
  secrets: Secrets,
  { userId, code }: { userId: string; code: string | undefined },
): Promise<'PASSED' | 'MISSING' | 'WRONG' | 'LOST'> {
  const row = await authenticatorOf(db, userId)
  if (!row?.confirmedAt) return 'PASSED'
  if (row.lostAt) return code && (await spendRecoveryCode(db, secrets, { userId, code })) ? 'PASSED' : 'LOST'
  if (!code?.trim()) return 'MISSING'
  const passed =
    (await spendCode(db, secrets, { userId, code, row })) || (await spendRecoveryCode(db, secrets, { userId, code }))
  return passed ? 'PASSED' : 'WRONG'
}

const wrongCode = () => invalid('code', 'That code is wrong, or was used before. Wait for the next one.', 'WRONG_CODE')

type Row = { secret: string; confirmedAt: string | null; lostAt: string | null; nowMs: number }

const authenticatorOf = (db: Database, userId: string): Promise<Row | undefined> =>
  db
    .selectFrom('authenticators')
    .select(['secret', 'confirmedAt', 'lostAt', sql<number>`(extract(epoch from now()) * 1000)::float8`.as('nowMs')])
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Each code works once, also for two requests at the same time. The clock is the database's. */
async function spendCode(
  db: Database,
  secrets: Secrets,
  { userId, code, row }: GivenCode & { row: Row },
): Promise<boolean> {
  const secret = sealOf(secrets).open(row.secret, purposeOf(userId))
  const token = code.replaceAll(/\s/g, '')
  if (!secret || !/^\d{6}$/.test(token)) return false
  const off = totpOf(secret).validate({ token, timestamp: row.nowMs, window: stepsOff })
  if (off === null) return false
  const step = Math.floor(row.nowMs / 1000 / periodS) + off
  const spent = await db
    .updateTable('authenticators')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .returning('userId')
    .executeTakeFirst()
  return spent !== undefined
}

async function spendRecoveryCode(db: Database, secrets: Secrets, { userId, code }: GivenCode): Promise<boolean> {
  const spent = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: sql`now()` })
    .where('userId', '=', userId)
    .where('codeHash', '=', hashOf(secrets, userId, code))
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
  return spent !== undefined
}

/** 80 bits, without letters and digits that look alike. */
const newCode = () =>
  [...randomBytes(16)]
    .map((byte) => letters.charAt(byte % 32))
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-')
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

const hashOf = (secrets: Secrets, userId: string, code: string) =>
  createHmac('sha256', secrets.derived('recovery-code'))
    .update(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest()
