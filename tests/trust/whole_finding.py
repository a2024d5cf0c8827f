"""What is wrong with a case, in a sentence."""


class Finding(Exception):
    pass


def expect(holds, sentence):
    if not holds:
        raise Finding(sentence)
