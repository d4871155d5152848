"""What is compared. `harness` runs one engine; a module ``NAME_engine`` makes it work.

They run under another Python than edgewiki's, as scripts out of this folder: nothing here may
import a package of the project but `edgewiki_engine`, and that one nothing of another engine's.
"""
