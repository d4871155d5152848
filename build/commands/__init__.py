"""Commands of ``edgewiki`` that read or write a store; each imports itself what it needs."""
