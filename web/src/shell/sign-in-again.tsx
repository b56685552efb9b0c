import { lazy, Suspense, useEffect, useState } from 'react'
import { type Refused, refusalListeners } from '../api.ts'

const PasswordDialog = lazy(() =>
  import('./password-dialog.tsx').then(({ PasswordDialog: dialog }) => ({ default: dialog })),
)

/** When a request is refused because the session has ended, the page stays and asks for the password over it. */
export function SignInAgain() {
  const [ended, setEnded] = useState(false)
  useEffect(() => {
    const note = ({ status }: Refused) => status === 401 && setEnded(true)
    refusalListeners.add(note)
    return () => void refusalListeners.delete(note)
  }, [])
  return <Suspense>{ended && <PasswordDialog onDone={() => setEnded(false)} />}</Suspense>
}
