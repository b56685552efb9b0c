type Machine = { platform: string; arch: string }

export function unneeded(machine?: Machine): { files: RegExp; because: string }[]
export function removeUnneeded(modules: string): void
