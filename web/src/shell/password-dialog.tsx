import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Refused, send, session } from '../api.ts'
import { refusal } from '../refusals.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useLanguage, useWords, words } from '../words.ts'

const said = words(
  {
    title: 'Your session has ended',
    hint: (email: string) => `Enter the password of ${email} to go on where you are. What you typed is kept.`,
    password: 'Password',
    code: 'Code of your authenticator app',
    act: 'Go on',
    other: 'Sign in another way',
  },
  {
    title: 'החיבור הסתיים',
    hint: (email) => `הזינו את הסיסמה של ${email} כדי להמשיך מכאן. מה שהקלדתם נשמר.`,
    password: 'סיסמה',
    code: 'קוד מאפליקציית האימות',
    act: 'המשך',
    other: 'כניסה בדרך אחרת',
  },
)

/** Asks for the password of the person who was signed in. */
export function PasswordDialog({ onDone }: { onDone: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const queries = useQueryClient()
  const { data } = useQuery({ ...session, enabled: false })
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const email = data?.user.email ?? ''
  async function signIn() {
    setBusy(true)
    try {
      await send('POST', '/api/auth/sign-in', { email, password, ...(needsCode && { code }) })
      onDone()
      await queries.invalidateQueries()
    } catch (error) {
      if (error instanceof Refused && error.code === 'SECOND_FACTOR' && !needsCode) setNeedsCode(true)
      else setProblem(error instanceof Refused ? refusal(lang, error) : String(error))
    } finally {
      setBusy(false)
    }
  }
  const leave = () => location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
  return (
    <Dialog title={say.title} onClose={leave}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <p className="text-soft">{say.hint(email)}</p>
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <TextField
          label={say.password}
          type="password"
          autoComplete="current-password"
          dir="ltr"
          autoFocus
          value={password}
          onChange={setPassword}
          error={problem}
        />
        {needsCode && (
          <TextField
            label={say.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            autoFocus
            value={code}
            onChange={setCode}
            error={undefined}
          />
        )}
        <div className="flex flex-wrap gap-2 justify-end">
          <Button look="quiet" onPress={leave}>
            {say.other}
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            {say.act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
