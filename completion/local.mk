# SPDX-License-Identifier: BSD-3-Clause
# ---- Completion, where the shells look: overridden by make bashcompletiondir=..., zshcompletiondir=...
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
if COMPLETION
COMPLETION_DIRS = $(DESTDIR)$(bashcompletiondir) $(DESTDIR)$(zshcompletiondir)
zshcompletion_DATA = completion/_polhode
# bash looks for a file of the program's name
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/completion/polhode.bash' '$(DESTDIR)$(bashcompletiondir)/polhode'
uninstall-local:
	rm -f '$(DESTDIR)$(bashcompletiondir)/polhode'
endif
