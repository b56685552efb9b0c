/** Templates are built into the program as text. */
declare module '*.typ' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler gives it as one
  export default text
}
