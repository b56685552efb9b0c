import { sql } from 'kysely'
import { tooMany, unauthenticated } from '../../core/failure.ts'
import { newId } from '../../core/id.ts'
import type { Static } from '../../core/schema.ts'
import type { Database, Pool } from '../../db/pool.ts'
import { hashPassword, isPassword } from './password.ts'
import type { SignIn, SignUp } from './person.ts'
import { startSession } from './session.ts'

/** Where a request came from, as far as a session remembers it. */
export type Origin = { address: string; userAgent: string | null }

const failuresPerAccount = 5
const failuresPerAddress = 20

/** Makes an account and signs it in. */
export async function signUp(pool: Pool, { name, email, password }: Static<typeof SignUp>, origin: Origin) {
  const passwordHash = await hashPassword(password)
  return pool.use(async (db) => {
    const user = { id: newId(), name, email: email.trim(), passwordHash }
    await db.insertInto('users').values(user).execute()
    return startSession(db, { userId: user.id, remember: false, ...origin })
  })
}

/** Signs in, or says the same of a wrong password and an unknown address. */
export async function signIn(pool: Pool, { email, password, remember = false }: Static<typeof SignIn>, origin: Origin) {
  const [account, address] = [`account:${email.trim().toLowerCase()}`, `address:${origin.address}`]
  await pool.use((db) => countAttempt(db, account, address))
  const user = await pool.use((db) => findUser(db, email.trim()))
  if (!(await isPassword(password, user?.passwordHash)) || !user) {
    throw unauthenticated('The e-mail address or the password is wrong.', 'WRONG_CREDENTIALS')
  }
  return pool.use(async (db) => {
    await sql`select forgive_sign_in(${account}, ${address})`.execute(db)
    return startSession(db, { userId: user.id, remember, ...origin })
  })
}

async function countAttempt(db: Database, account: string, address: string) {
  const [byAccount, byAddress] = await Promise.all([
    sql<{ wait: number }>`select count_sign_in(${account}, ${failuresPerAccount}) as wait`.execute(db),
    sql<{ wait: number }>`select count_sign_in(${address}, ${failuresPerAddress}) as wait`.execute(db),
  ])
  const waitS = Math.max(byAccount.rows[0]?.wait ?? 0, byAddress.rows[0]?.wait ?? 0)
  if (waitS > 0) throw tooMany('failed sign-ins', Math.ceil(waitS))
}

const findUser = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
