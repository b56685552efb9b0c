import type { ReactNode } from 'react'

/** Why the server refused what was sent, where no field is to blame. */
export const Alert = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="text-danger bg-danger-wash rounded-md px-3 py-2">
    {children}
  </p>
)
