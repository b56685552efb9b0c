import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedIn } from '../../../src/features/company/people/person.ts'
import { Refused, send, session } from '../api.ts'
import { refusal } from '../refusals.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/forms/text-field.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useLanguage, useWords, words } from '../words.ts'

const said = words(
  {
    title: 'Is it you?',
    hint: 'This needs a sign-in of the last hours. Prove that it is you, and it goes on by itself.',
    password: 'Password',
    code: 'Code of your authenticator app',
    useCode: 'Use a code instead',
    usePassword: 'Use the password instead',
    act: 'Go on',
    network: 'The server could not be reached. Try again.',
  },
  {
    title: 'זה אתם?',
    hint: 'הפעולה דורשת כניסה מהשעות האחרונות. אמתו שזה אתם, והיא תמשיך מעצמה.',
    password: 'סיסמה',
    code: 'קוד מאפליקציית האימות',
    useCode: 'שימוש בקוד במקום זאת',
    usePassword: 'שימוש בסיסמה במקום זאת',
    act: 'המשך',
    network: 'אין קשר עם השרת. נסו שוב.',
  },
)

/** Asks for the password or a code. */
export function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const queries = useQueryClient()
  const { data } = useQuery({ ...session, enabled: false })
  const [by, setBy] = useState<'password' | 'code'>('password')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function prove() {
    setBusy(true)
    try {
      queries.setQueryData(session.queryKey, await send<SignedIn>('POST', '/api/auth/step-up', { [by]: typed }))
      onAnswer(true)
    } catch (error) {
      setProblem(error instanceof Refused ? refusal(lang, error) : say.network)
      setBusy(false)
    }
  }
  const change = () => {
    setBy(by === 'code' ? 'password' : 'code')
    setTyped('')
    setProblem(undefined)
  }
  return (
    <Dialog title={say.title} onClose={() => onAnswer(false)}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void prove()
        }}
      >
        <p className="text-soft">{say.hint}</p>
        <input type="hidden" name="email" autoComplete="username" value={data?.user.email ?? ''} />
        <TextField
          key={by}
          label={say[by]}
          {...(by === 'password'
            ? { type: 'password', autoComplete: 'current-password' }
            : { inputMode: 'numeric' as const, autoComplete: 'one-time-code' })}
          dir="ltr"
          autoFocus
          value={typed}
          onChange={setTyped}
          error={problem}
        />
        <div className="flex flex-wrap gap-2 justify-end">
          <Button look="quiet" onPress={change}>
            {by === 'password' ? say.useCode : say.usePassword}
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            {say.act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
