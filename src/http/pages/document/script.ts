/** Copies bank details to the clipboard, and reloads the page after a message was sent. A fragment used after form-script.ts. */
export const documentScript = `
  after.reload = () => {
    location.hash = 'thread'
    location.reload()
    return new Promise(() => {})
  }

  for (const button of document.querySelectorAll('button[data-copy]')) {
    button.hidden = !navigator.clipboard
    const label = button.textContent
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = words.copied
      setTimeout(() => { button.textContent = label }, 2000)
    })
  }
`
