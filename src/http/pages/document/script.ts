/** Copies what is to be typed elsewhere, and shows the page anew when something was said. A fragment beside the forms'. */
export const documentScript = `
  after.again = () => {
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
