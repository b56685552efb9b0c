import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)

/** Whether the server can be reached. */
export const useOnline = () => useSyncExternalStore(subscribe, () => onlineManager.isOnline())
