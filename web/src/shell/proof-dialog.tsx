import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedIn } from '../../../src/features/company/people/person.ts'
import { Refused, send, session } from '../api.ts'
import { refusal } from '../refusals.ts'
import { useLanguage, useWords, words } from '../words.ts'
import { AskAgain, CodeField, PasswordField } from './ask-again.tsx'

const said = words(
  {
    title: 'Is it you?',
    hint: 'This needs a sign-in of the last hours. Prove that it is you, and it goes on by itself.',
    useCode: 'Use a code instead',
    usePassword: 'Use the password instead',
    network: 'The server could not be reached. Try again.',
  },
  {
    title: 'זה אתם?',
    hint: 'הפעולה דורשת כניסה מהשעות האחרונות. אמתו שזה אתם, והיא תמשיך מעצמה.',
    useCode: 'שימוש בקוד במקום זאת',
    usePassword: 'שימוש בסיסמה במקום זאת',
    network: 'אין קשר עם השרת. נסו שוב.',
  },
)

/** Asks for the password or a code. */
export function ProofDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const queries = useQueryClient()
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
  const Asked = by === 'password' ? PasswordField : CodeField
  return (
    <AskAgain
      title={say.title}
      hint={say.hint}
      other={{ label: by === 'password' ? say.useCode : say.usePassword, onPress: change }}
      busy={busy}
      onSubmit={() => void prove()}
      onClose={() => onAnswer(false)}
    >
      <Asked value={typed} onChange={setTyped} error={problem} />
    </AskAgain>
  )
}
