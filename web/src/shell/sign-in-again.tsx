import { useEffect, useState } from 'react'
import { type Refused, refusalListeners } from '../api.ts'
import { lazily } from '../ui/lazily.tsx'

const PasswordDialog = lazily(() => import('./password-dialog.tsx'), 'PasswordDialog')

/** When a request is refused because the session has ended, the page stays and asks for the password over it. */
export function SignInAgain() {
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    const note = ({ status }: Refused) => status === 401 && setEnded(true)
    refusalListeners.add(note)
    return () => void refusalListeners.delete(note)
  }, [])
  return ended ? <PasswordDialog onDone={() => setEnded(false)} /> : null
}
