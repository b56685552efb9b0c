/** How `pg` writes a JavaScript value as a parameter; its types leave this module out. */
declare module 'pg/lib/utils' {
  export function prepareValue(value: unknown): Buffer | string | null
}
