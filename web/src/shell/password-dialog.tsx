import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { proof, Refused, send, session } from '../api.ts'
import { refusal } from '../refusals.ts'
import { useLanguage, useWords, words } from '../words.ts'
import { AskAgain, CodeField, PasswordField } from './ask-again.tsx'

const said = words(
  {
    title: 'Your session has ended',
    hint: (email: string) => `Enter the password of ${email} to go on where you are. What you typed is kept.`,
    other: 'Sign in another way',
    elsewhere: 'Sign in on the other tab, then come back to this one.',
  },
  {
    title: 'החיבור הסתיים',
    hint: (email) => `הזינו את הסיסמה של ${email} כדי להמשיך מכאן. מה שהקלדתם נשמר.`,
    other: 'כניסה בדרך אחרת',
    elsewhere: 'היכנסו בלשונית האחרת, ואז חזרו לכאן.',
  },
)

/** Asks for the password of the person who was signed in. Closing it leaves the page as it is, without a session. */
export function PasswordDialog({ onAnswer }: { onAnswer: (signedIn: boolean) => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const queries = useQueryClient()
  const { data } = useQuery({ ...session, enabled: false })
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [elsewhere, setElsewhere] = useState(false)
  const email = data?.user.email ?? ''
  const goOn = () => {
    proof.signedInAt = performance.now()
    onAnswer(true)
    return queries.invalidateQueries()
  }
  async function signIn() {
    setBusy(true)
    try {
      await send('POST', '/api/auth/sign-in', { email, password, ...(needsCode && { code }) })
      await goOn()
    } catch (error) {
      if (error instanceof Refused && error.code === 'SECOND_FACTOR' && !needsCode) setNeedsCode(true)
      else setProblem(error instanceof Refused ? refusal(lang, error) : String(error))
    } finally {
      setBusy(false)
    }
  }
  /** Whoever comes back from another tab may be signed in by now; as somebody else they see their own page. */
  useEffect(() => {
    const look = async () => {
      const found = await queries.fetchQuery({ ...session, staleTime: 0 }).catch(() => undefined)
      if (found && data && found.user.id !== data.user.id) location.reload()
      else if (found) await goOn()
    }
    const onFocus = () => void (document.hidden || look())
    addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onFocus)
    return () => {
      removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onFocus)
    }
  }, [])
  const openOther = () => {
    window.open('/sign-in?next=%2Fapp', '_blank', 'noopener')
    setElsewhere(true)
  }
  return (
    <AskAgain
      title={say.title}
      hint={elsewhere ? say.elsewhere : say.hint(email)}
      other={{ label: say.other, onPress: openOther }}
      busy={busy}
      onSubmit={() => void signIn()}
      onClose={() => onAnswer(false)}
    >
      <PasswordField value={password} onChange={setPassword} error={problem} />
      {needsCode && <CodeField value={code} onChange={setCode} />}
    </AskAgain>
  )
}
