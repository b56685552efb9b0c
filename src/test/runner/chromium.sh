#!/bin/sh
# Starts $CHROMIUM_PROGRAM without the suggestions of its address bar, which nobody sees: in each window they are two more
# pages, and take more of the processor than a test. Chromium reads the last --disable-features only, so ours are added to
# those of Playwright.
for argument do
  shift
  case $argument in
    --disable-features=*) argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_PROGRAM" "$@"
