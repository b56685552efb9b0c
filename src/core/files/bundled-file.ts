/**
 * The file of a thread or process that is bundled by itself (`threads` in scripts/bundle.mjs), by its name there. It lies beside
 * the bundled program; what runs from the sources (the tests) has it bundled at its start.
 */
export const bundledFile = (name: string): URL =>
  new URL(`${import.meta.url.endsWith('.ts') ? '../../../.cache' : '.'}/${name}.js`, import.meta.url)
